# Copyright (C) The detemplate authors
"""Fits trees to features, and writes them as C."""

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

# as in core/rules/score.h; with a sign, more of the feature may only raise it
# (1) or lower it (-1)
NAMES = (
    "votes +", "share +", "place +", "links", "label -", "aside +",
    "main -", "detected +", "varies -", "words", "text", "repetition +",
    "repetition_parent +", "repetition_above +", "repetition_least +",
    "unrepeated -", "patterns", "supported +", "per_page", "place_text",
)
SIGNS = {"+": 1, "-": -1}

CONTENT = 20  # a word of content weighs so many of template
FITS = 4      # each leaves out another part of the sites; the score is their
              # mean

HEAD = """
/*
 * Copyright (C) The detemplate authors
 *
 * Made by "make model"; see score.h and bench/model.
 */


#include "core/rules/score.h"


/* clang-format off */
const char *const dt_score_names[DT_SCORE_FEATURES] = {
%s};

const int dt_score_base = %d;

const unsigned dt_score_ntrees = %d;


const dt_score_tree_t dt_score_trees[] = {
%s};
/* clang-format on */
"""


def fit_one(data, depth, trees):
    """Returns the boosted trees for the results of model_labels.site()."""
    x = np.vstack([d["x"] for d in data])
    content = np.concatenate([d["content"] for d in data]) * CONTENT
    template = np.concatenate([d["template"] for d in data])

    c, t = content > 0, template > 0
    weight = np.concatenate([content[c], template[t]])

    model = HistGradientBoostingClassifier(
        max_iter=trees, max_depth=depth, learning_rate=0.15,
        min_samples_leaf=40, l2_regularization=1.0, early_stopping=False,
        max_bins=64, random_state=1,
        monotonic_cst=[SIGNS.get(n[-1], 0) for n in NAMES])
    model.fit(np.vstack([x[c], x[t]]),
              np.repeat([0, 1], [c.sum(), t.sum()]),
              sample_weight=weight * len(weight) / weight.sum())

    return model


def fit(data, depth, trees):
    """Returns the base and the trees of several fits to parts of the sites.
    A single site that is like no other then decides less."""
    base, all_trees = 0, []

    for n in range(FITS):
        model = fit_one([d for i, d in enumerate(data) if i % FITS != n],
                        depth, trees)
        base += 1000 * float(np.ravel(model._baseline_prediction)[0]) / FITS
        all_trees += [tree(p.nodes, depth) for (p,) in model._predictors]

    return int(round(base)), all_trees


def tree(nodes, depth):
    """Returns a complete tree of that depth: features, bounds and values."""
    feature, most, value = [], [], []
    level = [nodes[0]]

    for _ in range(depth):
        below = []
        for n in level:
            if n["is_leaf"]:
                feature.append(0)
                most.append(65535)
                below += [n, n]
            else:
                feature.append(n["feature_idx"])
                most.append(min(int(np.floor(n["num_threshold"])), 65535))
                below += [nodes[n["left"]], nodes[n["right"]]]
        level = below

    value = [int(round(1000 * n["value"] / FITS)) for n in level]
    return feature, most, value


def braces(numbers):
    return "{ %s }" % ", ".join(map(str, numbers))


def source(base, trees):
    """Returns the text of core/rules/model.c."""
    return HEAD % (
        "".join('    "%s",\n' % n.split()[0] for n in NAMES), base,
        len(trees),
        "".join("    { %s,\n      %s,\n      %s },\n" % tuple(map(braces, t))
                for t in trees))
