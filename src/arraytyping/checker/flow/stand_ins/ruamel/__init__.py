"""`ruamel`: the namespace of `ruamel.yaml`.

Source: https://pypi.org/project/ruamel.yaml/.
"""
