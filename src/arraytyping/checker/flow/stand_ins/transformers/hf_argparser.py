"""`HfArgumentParser`: one command line that fills several dataclasses; an option has its field's name.

Source: https://huggingface.co/docs/transformers/internal/trainer_utils.
"""

import dataclasses

from arraytyping import facts


class HfArgumentParser:
    def __init__(self, dataclass_types, **options):
        self.dataclass_types = [dataclass_types] if dataclasses.is_dataclass(dataclass_types) else list(dataclass_types)
        self._has_more = False

    def add_argument(self, *args, **options):
        self._has_more = True

    def parse_args_into_dataclasses(self, args=None, *more, **options):
        if self._has_more or more or options:
            return facts.reads_only("what a parser makes of a line or of a file")
        return tuple(facts.command_line(kind, None, args) for kind in self.dataclass_types)

    def parse_dict(self, args, allow_extra_keys=False):
        return tuple(
            kind(**{field.name: args[field.name] for field in dataclasses.fields(kind) if field.name in args})
            for kind in self.dataclass_types
        )

    def parse_json_file(self, json_file, allow_extra_keys=False):
        return self.parse_dict(facts.parsed("json", facts.file_text(json_file)), allow_extra_keys)

    def parse_yaml_file(self, yaml_file, allow_extra_keys=False):
        return self.parse_dict(facts.parsed("yaml", facts.file_text(yaml_file)), allow_extra_keys)

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a parser")


def __getattr__(name):
    return facts.unknown("transformers.hf_argparser." + name)
