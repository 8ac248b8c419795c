"""What every page is made of: escaped text, tags, pictures, the filter, one document that refers to nothing elsewhere."""
import base64
import html
import os
import pathlib
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def text(value):
    return html.escape(str(value))


def tag(verdict):
    return f'<span class="tag {text(verdict.split()[0])}">{text(verdict)}</span>'


def definitions(pairs):
    """A list of names and what is said of each, both HTML already."""
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{said}</dd>" for name, said in pairs) + "</dl>\n"


def table(caption, heads, rows, sortable=False):
    """`rows` of cells, each HTML, or (HTML, the value to sort by) for a number."""
    name = (lambda head: f"<button>{head}</button>") if sortable else (lambda head: head)
    page = f'<div class="wide" tabindex="0" role="region" aria-label="{caption}"><table><caption>{caption}</caption><thead><tr>'
    page += "".join(f'<th scope="col">{name(head)}</th>' for head in heads) + "</tr></thead><tbody>\n"
    for first, *others in rows:
        page += f'<tr><th scope="row">{first}</th>'
        for cell in others:
            shown, value = cell if isinstance(cell, tuple) else (cell, None)
            page += f"<td>{shown}</td>" if value is None else f'<td class="number" data-value="{value}">{shown}</td>'
        page += "</tr>\n"
    return page + "</tbody></table></div>\n"


def picture(content, kind, name):
    """Inside the page; `kind` is png or svg+xml."""
    code = base64.b64encode(content).decode("ascii")
    return f'<img loading="lazy" alt="{text(name)}" src="data:image/{kind};base64,{code}">'


def filters(choices):
    """The search box, and a chooser for every data-<name> of the items; {name: values}."""
    page = '<form class="filters" role="search"><label>search <input name="words" type="search"></label>\n'
    for name, values in choices.items():
        options = "".join(f"<option>{text(value)}</option>" for value in values)
        page += f'<label>{name} <select name="{name}"><option value="">all</option>{options}</select></label>\n'
    return page + '<output aria-live="polite"></output></form>\n'


def document(title, body):
    style, script = ((HERE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}"
            f"<script>\n{script}</script>\n</body>\n</html>\n")


def write(path, content):
    """All or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(content)
    os.chmod(file.name, 0o644)
    pathlib.Path(file.name).replace(path)
