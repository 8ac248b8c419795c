"""aydin2024 Figure 4: total variation error by method, budget share 0.9."""
from aydin2024 import looks

SIZE = (9.5, 7.0)
GRID_SIZE = (13.5, 13.0)
draw = looks.errors
draw_grid = looks.box_plots
