"""aydin2024 Figure 5: mean size of the chosen sets, budget share 0.8."""
from aydin2024 import looks

SIZE = (9.5, 7.0)
GRID_SIZE = (15.0, 10.5)
draw = looks.sizes
draw_grid = looks.heat_maps
