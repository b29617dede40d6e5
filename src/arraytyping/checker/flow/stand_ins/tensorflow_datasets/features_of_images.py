"""The features of data sets of images: see `published_features`.

Source: https://www.tensorflow.org/datasets/catalog/overview.
"""

FEATURES = {
    "aflw2k3d": (
        "image:uint8[450,450,3] landmarks_68_3d_xy_normalized:float32[68,2] "
        "landmarks_68_3d_z:float32[68,1]"
    ),
    "ai2dcaption": (
        "image:uint8[?,?,3] image_filename:text topic:int64[] layout:int64[] caption:text relationships:other "
        "entities:other"
    ),
    "bccd": "image:uint8[480,640,3] image/filename:text objects:other",
    "beans": "image:uint8[500,500,3] label:int64[]#3",
    "binary_alpha_digits": "image:uint8[20,16,1] label:int64[]#36",
    "caltech101": "image:uint8[?,?,3] label:int64[]#102 image/file_name:text",
    "caltech_birds2010": (
        "image:uint8[?,?,3] image/filename:text label:int64[]#200 label_name:text bbox:float32[4] "
        "segmentation_mask:uint8[?,?,1]"
    ),
    "caltech_birds2011": (
        "image:uint8[?,?,3] image/filename:text label:int64[]#200 label_name:text bbox:float32[4] "
        "segmentation_mask:uint8[?,?,1]"
    ),
    "cars196": "image:uint8[?,?,3] label:int64[]#196 bbox:float32[4] id:text",
    "cassava": "image:uint8[?,?,3] image/filename:text label:int64[]#5",
    "chexpert": "name:text image:uint8[?,?,3] label:other image_view:int64[]",
    "cifar100_n": (
        "id:text image:uint8[32,32,3] label:int64[]#100 coarse_label:int64[] noise_label:int64[] worker_id:int64[] "
        "worker_time:float32[]"
    ),
    "cifar10_1": "image:uint8[32,32,3] label:int64[]#10",
    "cifar10_corrupted": "image:uint8[32,32,3] label:int64[]#10",
    "cifar10_h": (
        "id:text image:uint8[32,32,3] label:int64[]#10 soft_label:float32[10] human_labels:other "
        "trial_indices:other annotator_ids:other reaction_times:other"
    ),
    "cifar10_n": (
        "id:text image:uint8[32,32,3] label:int64[]#10 worse_label:int64[] aggre_label:int64[] "
        "random_label1:int64[] random_label2:int64[] random_label3:int64[] worker1_id:int64[] "
        "worker1_time:float32[] worker2_id:int64[] worker2_time:float32[] worker3_id:int64[] worker3_time:float32[]"
    ),
    "citrus_leaves": "image:uint8[?,?,3] image/filename:text label:int64[]#4",
    "clevr": "image:uint8[?,?,3] file_name:text objects:other question_answer:other",
    "clic": "image:uint8[?,?,3]",
    "cmaterdb": "image:uint8[32,32,3] label:int64[]#10",
    "coco_captions": "image:uint8[?,?,3] image/filename:text image/id:int64[] objects:other captions:other",
    "coil100": "image:uint8[128,128,3] angle_label:int64[] object_id:int64[] angle:int64[]",
    "colorectal_histology": "image:uint8[150,150,3] label:int64[]#8 filename:text",
    "colorectal_histology_large": "image:uint8[5000,5000,3] filename:text",
    "controlled_noisy_web_labels": "image:uint8[?,?,3] label:int64[]#100 is_clean:bool[] id:text",
    "cycle_gan": "image:uint8[?,?,3] label:int64[]#2",
    "deep_weeds": "image:uint8[256,256,3] label:int64[]#9",
    "diabetic_retinopathy_detection": "name:text image:uint8[?,?,3] label:int64[]#5",
    "div2k": "lr:uint8[?,?,3] hr:uint8[?,?,3]",
    "dmlab": "image:uint8[360,480,3] filename:text label:int64[]#6",
    "domainnet": "image:uint8[?,?,3] label:int64[]#345",
    "downsampled_imagenet": "image:uint8[?,?,3]",
    "dsprites": (
        "image:uint8[64,64,1] label_shape:int64[] label_scale:int64[] label_orientation:int64[] "
        "label_x_position:int64[] label_y_position:int64[] value_shape:float32[] value_scale:float32[] "
        "value_orientation:float32[] value_x_position:float32[] value_y_position:float32[]"
    ),
    "dtd": "file_name:text image:uint8[?,?,3] label:int64[]#47",
    "flic": (
        "image:uint8[480,720,3] poselet_hit_idx:other moviename:text xcoords:other ycoords:other "
        "currframe:float64[] torsobox:float32[4]"
    ),
    "geirhos_conflict_stimuli": (
        "image:uint8[?,?,3] shape_label:int64[] shape_imagenet_labels:other texture_label:int64[] "
        "texture_imagenet_labels:other file_name:text"
    ),
    "gref": "image:uint8[?,?,3] image/id:int64[] objects:other",
    "horses_or_humans": "image:uint8[300,300,3] label:int64[]#2",
    "i_naturalist2017": "id:text image:uint8[?,?,3] label:int64[]#5089 supercategory:int64[]",
    "i_naturalist2018": "id:text image:uint8[?,?,3] label:int64[]#8142 supercategory:int64[]",
    "imagenet2012_corrupted": "image:uint8[224,224,3] label:int64[]#1000 file_name:text",
    "imagenet2012_fewshot": "image:uint8[?,?,3] label:int64[]#1000 file_name:text",
    "imagenet2012_multilabel": (
        "image:uint8[?,?,3] original_label:int64[] correct_multi_labels:other wrong_multi_labels:other "
        "unclear_multi_labels:other is_problematic:bool[] file_name:text"
    ),
    "imagenet2012_real": "image:uint8[?,?,3] original_label:int64[] real_label:other file_name:text",
    "imagenet2012_subset": "image:uint8[?,?,3] label:int64[]#1000 file_name:text",
    "imagenet_a": "image:uint8[?,?,3] label:int64[]#1000 file_name:text",
    "imagenet_lt": "image:uint8[?,?,3] label:int64[]#1000 file_name:text",
    "imagenet_pi": (
        "image:uint8[?,?,3] clean_label:int64[] annotator_labels:int64[16] annotator_confidences:float32[16] "
        "file_name:text"
    ),
    "imagenet_r": "image:uint8[?,?,3] label:int64[]#1000 file_name:text",
    "imagenet_sketch": "image:uint8[?,?,3] label:int64[]#1000 file_name:text",
    "imagenet_v2": "image:uint8[?,?,3] label:int64[]#1000 file_name:text",
    "imagenette": "image:uint8[?,?,3] label:int64[]#10",
    "imagewang": "image:uint8[?,?,3] label:int64[]#20",
    "kitti": "image:uint8[?,?,3] image/file_name:text objects:other",
    "lvis": (
        "image:uint8[?,?,3] image/id:int64[] neg_category_ids:other not_exhaustive_category_ids:other "
        "objects:other"
    ),
    "malaria": "image:uint8[?,?,3] label:int64[]#2",
    "mnist_corrupted": "image:uint8[28,28,1] label:int64[]#10",
    "nyu_depth_v2": "image:uint8[480,640,3] depth:float16[480,640]",
    "open_images_challenge2019_detection": "id:text image:uint8[?,?,3] objects:other bobjects:other",
    "open_images_v4": (
        "image:uint8[?,?,3] image/filename:text objects:other objects_trainable:other "
        "bobjects:other"
    ),
    "pass": (
        "image:uint8[?,?,3] image/creator_uname:text image/hash:text image/gps_lon:float32[] "
        "image/gps_lat:float32[] image/date_taken:text"
    ),
    "plant_leaves": "image:uint8[?,?,3] image/filename:text label:int64[]#22",
    "plant_village": "image:uint8[?,?,3] image/filename:text label:int64[]#38",
    "plantae_k": "image:uint8[?,?,3] image/filename:text label:int64[]#16",
    "pneumonia_mnist": "image:uint8[28,28,1] label:int64[]#2",
    "quickdraw_bitmap": "image:uint8[28,28,1] label:int64[]#345",
    "ref_coco": "image:uint8[?,?,3] image/id:int64[] objects:other coco_annotations:other",
    "resisc45": "image:uint8[256,256,3] label:int64[]#45 filename:text",
    "rock_paper_scissors": "image:uint8[300,300,3] label:int64[]#3",
    "s3o4d": (
        "image:uint8[256,256,3] label:int64[]#2 illumination:float32[3] pose_quat:float32[4] "
        "pose_mat:float32[3,3]"
    ),
    "scene_parse150": "image:uint8[?,?,3] annotation:uint8[?,?,3]",
    "shapes3d": (
        "image:uint8[64,64,3] label_floor_hue:int64[] label_wall_hue:int64[] label_object_hue:int64[] "
        "label_scale:int64[] label_shape:int64[] label_orientation:int64[] value_floor_hue:float32[] "
        "value_wall_hue:float32[] value_object_hue:float32[] value_scale:float32[] value_shape:float32[] "
        "value_orientation:float32[]"
    ),
    "siscore": "image_id:int64[] image:uint8[?,?,3] label:int64[]#1000 dataset_label:int64[]",
    "smallnorb": (
        "image:uint8[96,96,1] image2:uint8[96,96,1] label_category:int64[] instance:int64[] label_elevation:int64[] "
        "label_azimuth:int64[] label_lighting:int64[]"
    ),
    "stanford_dogs": "image:uint8[?,?,3] image/filename:text label:int64[]#120 objects:other",
    "stanford_online_products": (
        "class_id:int64[] super_class_id/num:int64[] super_class_id:int64[] "
        "image:uint8[?,?,3]"
    ),
    "sun397": "file_name:text image:uint8[?,?,3] label:int64[]#397",
    "symmetric_solids": "image:uint8[224,224,3] label_shape:int64[] rotation:float32[3,3] rotations_equivalent:float32[?,3,3]",
    "tf_flowers": "image:uint8[?,?,3] label:int64[]#5",
    "the300w_lp": (
        "image:uint8[450,450,3] landmarks_origin:float32[68,2] landmarks_2d:float32[68,2] "
        "landmarks_3d:float32[68,2] roi:float32[4] illum_params:float32[10] color_params:float32[7] "
        "tex_params:float32[199] shape_params:float32[199] exp_params:float32[29] pose_params:float32[7]"
    ),
    "uc_merced": "image:uint8[?,?,3] label:int64[]#21 filename:text",
    "voc": "image:uint8[?,?,3] image/filename:text objects:other labels:other labels_no_difficult:other",
    "wake_vision": (
        "image:uint8[?,?,3] filename:text person:int64[] depiction:int64[] body_part:int64[] "
        "predominantly_female:int64[] predominantly_male:int64[] gender_unknown:int64[] young:int64[] "
        "middle_age:int64[] older:int64[] age_unknown:int64[] near:int64[] medium_distance:int64[] far:int64[] "
        "dark:int64[] normal_lighting:int64[] bright:int64[] person_depiction:int64[] non-person_depiction:int64[] "
        "non-person_non-depiction:int64[]"
    ),
    "wider_face": "image:uint8[?,?,3] image/filename:text faces:other",
}
