"""Embedded problems, data sets of the literature, and readers of files."""

from pseudolinear.datasets._attributes import attributes_table, describe
from pseudolinear.datasets._dataset import Dataset, load_dataset
from pseudolinear.datasets._download import download_dataset
from pseudolinear.datasets._folder import data_folder
from pseudolinear.datasets._formats import Format
from pseudolinear.datasets._galaxy import GALAXY_OPTIMUM, make_galaxy
from pseudolinear.datasets._parts import find_parts
from pseudolinear.datasets._readers import read_rows
from pseudolinear.datasets._reading import read_file, read_parts
from pseudolinear.datasets._score_files import ScoreFiles
from pseudolinear.datasets._svmlight import SparseRows
from pseudolinear.datasets._three_points import three_point_profiles

__all__ = [
    "GALAXY_OPTIMUM",
    "Dataset",
    "Format",
    "ScoreFiles",
    "SparseRows",
    "attributes_table",
    "data_folder",
    "describe",
    "download_dataset",
    "find_parts",
    "load_dataset",
    "make_galaxy",
    "read_file",
    "read_parts",
    "read_rows",
    "three_point_profiles",
]
