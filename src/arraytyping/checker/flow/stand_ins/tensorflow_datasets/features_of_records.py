"""The features of data sets of texts, sounds and numbers: see `published_features`.

Source: https://www.tensorflow.org/datasets/catalog/overview.
"""

FEATURES = {
    "abstract_reasoning": (
        "context:other answers:other target:int64[] meta_target:int64[12] relation_structure_encoded:int64[4,12] "
        "filename:text"
    ),
    "accentdb": "audio:int64[?] label:int64[]#9 speaker_id:text",
    "ai2_arc": "id:text question:text choices:other answerKey:int64[]",
    "ai2_arc_with_ir": "id:text question:text choices:other answerKey:int64[] paragraph:text",
    "anli": "uid:text context:text hypothesis:text label:int64[]#3",
    "answer_equivalence": (
        "qid:text gold_index:int32[] context:text question:text reference:text candidate:text score:float32[] "
        "question_1:int64[] question_2:int64[] question_3:int64[] question_4:int64[]"
    ),
    "asqa": "sample_id:int64[] ambiguous_question:text qa_pairs:other wikipages:other annotations:other",
    "assin2": "text:text hypothesis:text id:int32[] entailment:int64[] similarity:float32[]",
    "beir": (
        "query_id:text query:text query_metadata:text passage_id:text passage:text passage_metadata:text "
        "score:float32[]"
    ),
    "ble_wind_field": "field:float32[21,21,10,9,2]",
    "blimp": (
        "sentence_good:text sentence_bad:text field:text linguistics_term:text UID:text simple_LM_method:bool[] "
        "one_prefix_method:bool[] two_prefix_method:bool[] lexically_identical:bool[] pair_id:int32[]"
    ),
    "bool_q": "question:text passage:text answer:bool[] title:text",
    "cardiotox": (
        "active:int64[2] atoms:float32[60,27] pairs:float32[60,60,12] atom_mask:float32[60] "
        "pair_mask:float32[60,60] dist2topk_nbs:float32[1] molecule_id:text"
    ),
    "cherry_blossoms": "year:int32[] doy:float32[] temp:float32[] temp_upper:float32[] temp_lower:float32[]",
    "clinc_oos": "text:text intent:int32[] domain:int32[] intent_name:text domain_name:text",
    "common_voice": (
        "client_id:text upvotes:int32[] downvotes:int32[] age:text gender:int64[] accent:text segment:text "
        "sentence:text voice:int64[?]"
    ),
    "corr2cause": "input:text label:int64[]",
    "cosmos_qa": "context:text question:text answer0:text answer1:text answer2:text answer3:text label:int64[]#4 id:text",
    "covid19sum": (
        "sha:text source_x:text title:text doi:text license:text authors:text publish_time:text journal:text "
        "url:text abstract:text body_text:other"
    ),
    "crema_d": "audio:int64[?] label:int64[]#6 speaker_id:text",
    "criteo": (
        "f0:float32[] f1:float32[] f2:float32[] f3:float32[] f4:float32[] f5:float32[] f6:float32[] f7:float32[] "
        "f8:float32[] f9:float32[] f10:float32[] f11:float32[] treatment:int64[] conversion:bool[] visit:bool[] "
        "exposure:bool[]"
    ),
    "cs_restaurants": "input_text:other delex_input_text:other target_text:text delex_target_text:text",
    "dart": "input_text:other target_text:text",
    "deep1b": "index:int64[] embedding:float32[96] neighbors:other",
    "definite_pronoun_resolution": "sentence:text pronoun:text candidates:other label:int64[]#2",
    "dementiabank": "audio:int64[?] label:int64[]#2 speaker_id:text",
    "diamonds": "features:other price:float32[]",
    "doc_nli": "premise:text hypothesis:text label:int64[]#2",
    "dolphin_number_word": "id:text index:int32[] text:text sources:text equations:text ans:text",
    "duke_ultrasound": (
        "das:other dtce:float32[?] f0_hz:float32[] voltage:float32[] focus_cm:float32[] height:uint32[] "
        "width:uint32[] initial_radius:float32[] final_radius:float32[] initial_angle:float32[] "
        "final_angle:float32[] probe:text scanner:text target:text timestamp_id:uint32[] harmonic:bool[]"
    ),
    "e2e_cleaned": "input_text:other target_text:text",
    "efron_morris75": (
        "FirstName:text LastName:text At-Bats:int32[] Hits:int32[] BattingAverage:float32[] RemainingAt- "
        "Bats:int32[] RemainingAverage:float32[] SeasonAt-Bats:int32[] SeasonHits:int32[] SeasonAverage:float32[]"
    ),
    "eraser_multi_rc": "passage:text query_and_answer:text label:int64[]#2 evidences:other",
    "esnli": (
        "premise:text hypothesis:text label:int64[]#3 explanation_1:text explanation_2:text "
        "explanation_3:text"
    ),
    "forest_fires": "area:float32[] features:other",
    "fuss": "mixture_audio:int16[160000] sources:other segments:other jams:text id:text",
    "gap": (
        "ID:text Text:text Pronoun:text Pronoun-offset:int32[] A:text A-offset:int32[] A-coref:bool[] B:text "
        "B-offset:int32[] B-coref:bool[] URL:text"
    ),
    "genomics_ood": "seq:text label:int64[]#130 seq_info:text domain:text",
    "german_credit_numeric": "features:int32[24] label:int64[]#2",
    "glove100_angular": "index:int64[] embedding:float32[100] neighbors:other",
    "goemotions": (
        "comment_text:text admiration:bool[] amusement:bool[] anger:bool[] annoyance:bool[] approval:bool[] "
        "caring:bool[] confusion:bool[] curiosity:bool[] desire:bool[] disappointment:bool[] disapproval:bool[] "
        "disgust:bool[] embarrassment:bool[] excitement:bool[] fear:bool[] gratitude:bool[] grief:bool[] joy:bool[] "
        "love:bool[] nervousness:bool[] optimism:bool[] pride:bool[] realization:bool[] relief:bool[] "
        "remorse:bool[] sadness:bool[] surprise:bool[] neutral:bool[]"
    ),
    "gtzan": "audio:int64[?] label:int64[]#10 audio/filename:text",
    "gtzan_music_speech": "audio:int64[?] label:int64[]#2 audio/filename:text",
    "hellaswag": "context:text endings:other activity_label:text label:int32[] split_type:text source_id:text",
    "higgs": (
        "class_label:float32[] lepton_pT:float64[] lepton_eta:float64[] lepton_phi:float64[] "
        "missing_energy_magnitude:float64[] missing_energy_phi:float64[] jet_1_pt:float64[] jet_1_eta:float64[] "
        "jet_1_phi:float64[] jet_1_b-tag:float64[] jet_2_pt:float64[] jet_2_eta:float64[] jet_2_phi:float64[] "
        "jet_2_b-tag:float64[] jet_3_pt:float64[] jet_3_eta:float64[] jet_3_phi:float64[] jet_3_b-tag:float64[] "
        "jet_4_pt:float64[] jet_4_eta:float64[] jet_4_phi:float64[] jet_4_b-tag:float64[] m_jj:float64[] "
        "m_jjj:float64[] m_lv:float64[] m_jlv:float64[] m_bb:float64[] m_wbb:float64[] m_wwbb:float64[]"
    ),
    "hillstrom": (
        "history:float32[] zip_code:text segment:text recency:int64[] history_segment:text mens:int64[] "
        "womens:int64[] newbie:int64[] channel:text visit:int64[] conversion:int64[] spend:float32[]"
    ),
    "howell": "height:float32[] weight:float32[] age:float32[] male:int32[]",
    "iris": "features:float32[4] label:int64[]#3",
    "istella": "float_features:float64[?,220] label:float64[?] query_id:text doc_id:int64[?]",
    "librispeech": "speech:int16[?] text:text speaker_id:int64[] chapter_id:int64[] id:text",
    "libritts": (
        "speech:int64[?] text_original:text text_normalized:text speaker_id:int64[] chapter_id:int64[] "
        "id:text"
    ),
    "ljspeech": "id:text speech:int16[?] text:text text_normalized:text",
    "mctaco": "sentence:text question:text answer:text label:int64[]#2 category:int64[]",
    "mlqa": "id:text title:text context:text question:text answers:other",
    "movie_rationales": "review:text label:int64[]#2 evidences:other",
    "mrqa": (
        "subset:text context:text context_tokens:other qid:text question:text question_tokens:other "
        "detected_answers:other answers:other"
    ),
    "mslr_web": "float_features:float64[?,136] label:float64[?] query_id:text doc_id:int64[?]",
    "multi_nli": "premise:text hypothesis:text label:int64[]#3",
    "natural_questions_open": "question:text answer:other",
    "newsroom": (
        "text:text summary:text title:text url:text date:text density_bin:text coverage_bin:text "
        "compression_bin:text density:float32[] coverage:float32[] compression:float32[]"
    ),
    "ogbg_molpcba": (
        "num_nodes:int64[?] node_feat:float32[?,9] num_edges:int64[?] edge_feat:float32[?,3] edge_index:int64[?,2] "
        "labels:float32[128]"
    ),
    "openbookqa": "question:other fact1:text humanScore:float32[] clarity:float32[] turkIdAnonymized:text answerKey:int64[]",
    "paws_wiki": "sentence1:text sentence2:text label:int64[]#2",
    "paws_x_wiki": "sentence1:text sentence2:text label:int64[]#2",
    "pg19": "book_text:text book_id:int32[] book_title:text publication_date:text book_link:text",
    "piqa": "id:text goal:text sol1:text sol2:text label:int64[]#2",
    "protein_net": (
        "id:text primary:other evolutionary:float32[?,21] tertiary:float32[?,3] mask:bool[?] "
        "length:int32[]"
    ),
    "q_re_cc": (
        "context:other question:text question_rewrite:text answer:text answer_url:text conversation_id:int32[] "
        "turn_id:int32[] source:text"
    ),
    "qm9": (
        "num_atoms:int64[] charges:int64[29] Mulliken_charges:float32[29] positions:float32[29,3] index:int64[] "
        "A:float32[] B:float32[] C:float32[] mu:float32[] alpha:float32[] homo:float32[] lumo:float32[] "
        "gap:float32[] r2:float32[] zpve:float32[] U0:float32[] U:float32[] H:float32[] G:float32[] Cv:float32[] "
        "U0_atomization:float32[] U_atomization:float32[] H_atomization:float32[] G_atomization:float32[] tag:text "
        "SMILES:text SMILES_relaxed:text InChI:text InChI_relaxed:text frequencies:float32[?]"
    ),
    "radon": "activity:float32[] features:other",
    "real_toxicity_prompts": "filename:text begin:int32[] end:int32[] challenging:bool[] prompt:other continuation:other",
    "reddit": (
        "author:text body:text normalizedBody:text subreddit:text subreddit_id:text id:text content:text "
        "summary:text"
    ),
    "reddit_tifu": (
        "ups:float32[] num_comments:float32[] score:float32[] upvote_ratio:float32[] documents:text tldr:text "
        "title:text id:text"
    ),
    "robonet": "video:other actions:float32[?,5] states:float32[?,5] filename:text",
    "savee": "audio:int64[?] label:int64[]#7 speaker_id:text",
    "schema_guided_dialogue": "utterances:other first_speaker:int64[] metadata:other",
    "sci_tail": "premise:text hypothesis:text label:int64[]#2",
    "scicite": (
        "string:text sectionName:text label:int64[]#3 citingPaperId:text citedPaperId:text excerpt_index:int32[] "
        "isKeyCitation:bool[] label2:int64[] citeEnd:int64[] citeStart:int64[] source:int64[] "
        "label_confidence:float32[] label2_confidence:float32[] id:text"
    ),
    "sentiment140": "polarity:int32[] date:text query:text user:text text:text",
    "sift1m": "index:int64[] embedding:float32[128] neighbors:other",
    "simpte": (
        "y:int32[] treat:int32[] X1:float32[] X2:float32[] X3:float32[] X4:float32[] X5:float32[] X6:float32[] "
        "X7:float32[] X8:float32[] X9:float32[] X10:float32[] X11:float32[] X12:float32[] X13:float32[] "
        "X14:float32[] X15:float32[] X16:float32[] X17:float32[] X18:float32[] X19:float32[] X20:float32[]"
    ),
    "smartwatch_gestures": "features:other participant:uint8[] attempt:uint8[] gesture:int64[]",
    "snli": "premise:text hypothesis:text label:int64[]#3",
    "speech_commands": "audio:int16[?] label:int64[]#12",
    "spoken_digit": "audio:int64[?] label:int64[]#10 audio/filename:text",
    "story_cloze": "context:text endings:other label:int32[]",
    "tedlium": "speech:int64[?] text:text speaker_id:text gender:int64[] id:text",
    "titanic": (
        "pclass:int64[] survived:int64[] name:text sex:int64[] age:float32[] sibsp:int32[] parch:int32[] "
        "ticket:text fare:float32[] cabin:text embarked:int64[] boat:text body:int32[] home.dest:text"
    ),
    "trec": "label-coarse:int64[] label-fine:int64[] text:text",
    "tydi_qa": "id:text title:text context:text question:text answers:other",
    "ucf101": "video:other label:int64[]#101",
    "unified_qa": "input:text output:text",
    "user_libri_audio": "id:text user_id:text speaker_id:text book_id:text audio:int64[?] transcript:text",
    "vctk": "id:text text:text speech:int16[?] speaker:int64[] gender:int64[] accent:int64[]",
    "voxceleb": "audio:int64[?] label:int64[]#1252 youtube_id:text",
    "voxforge": "audio:int64[?] label:int64[]#6 speaker_id:text",
    "waymo_open_dataset": (
        "context:other timestamp_micros:int64[] camera_FRONT:other camera_FRONT_LEFT:other camera_SIDE_LEFT:other "
        "camera_FRONT_RIGHT:other camera_SIDE_RIGHT:other"
    ),
    "web_graph": "row_tag:int64[] col_tag:other gt_tag:other",
    "web_nlg": "input_text:other target_text:text",
    "wiki_bio": "input_text:other target_text:text",
    "wiki_table_questions": "input_text:other target_text:text",
    "wiki_table_text": "input_text:other target_text:text",
    "wine_quality": "quality:int32[] features:other",
    "winogrande": "sentence:text option1:text option2:text label:int64[]#2",
    "wit": (
        "language:text page_url:text image_url:text page_title:text section_title:text "
        "hierarchical_section_title:text caption_reference_description:text caption_attribution_description:text "
        "caption_alt_text_description:text mime_type:text original_height:int32[] original_width:int32[] "
        "is_main_image:bool[] attribution_passes_lang_id:bool[] page_changed_recently:bool[] "
        "context_page_description:text context_section_description:text"
    ),
    "wsc273": (
        "text:text option1:text option1_normalized:text option2:text option2_normalized:text pronoun_start:int32[] "
        "pronoun_end:int32[] pronoun_text:text label:int32[] idx:int32[]"
    ),
    "xnli": "premise:other hypothesis:other label:int64[]#3",
    "xquad": "id:text title:text context:text question:text answers:other",
    "xtreme_pawsx": "sentence1:text sentence2:text label:int64[]#2",
    "xtreme_s": (
        "id:int32[] num_samples:int32[] path:text audio:int64[?] transcription:text raw_transcription:text "
        "gender:int64[] lang_id:int64[] language:text lang_group_id:int64[]"
    ),
    "xtreme_xnli": "premise:other hypothesis:other label:int64[]#3",
    "yelp_polarity_reviews": "text:text label:int64[]#2",
    "yes_no": "audio:int64[?] label:other audio/filename:text",
}
