# Copyright (C) The detemplate authors
"""Two pictures of bench/detectors: F1 and time, by the pages used."""


def write(stem, mean, sizes, sites):
    pass
