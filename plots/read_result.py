"""Reads one result, <stem>.csv and <stem>.json. Nothing about privacy is computed on this side."""
import csv
import json
import pathlib
import re

import numpy as np

# How the notes begin that name data in the place of the paper's.
STAND_IN = re.compile(r"^(STAND-IN|SYNTHETIC|SUBSTITUTE)")


class Result:
    """The rows of a figure by series and column, and the record of where they come from."""

    def __init__(self, folder, stem):
        base = pathlib.Path(folder) / stem
        self.record = json.loads(base.with_suffix(".json").read_text(encoding="utf-8"))
        with base.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.stem = self.record["stem"]
        self.title = self.record["title"]
        self.notes = self.record["notes"]
        self.parameters = self.record["parameters"]
        self.columns = {column["name"]: column for column in self.record["columns"]}
        self.series = {series["name"]: series for series in self.record["series"]}

    @property
    def series_names(self):
        """Every series, in the order in which the driver declared them."""
        return list(self.series)

    def label(self, series):
        """The legend of a series."""
        return self.series[series]["label"]

    def values(self, series, column):
        """One column of one series as an array, in row order; infinities are inf."""
        if series not in self.series or column not in self.columns:
            raise KeyError(f"{self.stem} has no column {column} of a series {series}")
        return np.array([float(row[column]) for row in self.rows if row["series"] == series])

    def statuses(self, series):
        """The status of every row of a series: certified, statistical, heuristic or vacuous."""
        return [row["status"] for row in self.rows if row["series"] == series]

    def unit(self, column):
        """The unit of a column, for an axis label."""
        return self.columns[column]["unit"]
