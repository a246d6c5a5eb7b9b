"""Small files of answers, and what the command, Python and the page "Your own data" all make of them."""

import gzip
import math
from typing import NamedTuple


class File(NamedTuple):
    """A file of answers, what is said of it, and the accuracies and the EC of the first two systems, or a refusal."""

    content: str | bytes
    arguments: dict  # of erralign.read_answers
    accuracies: dict  # of every system, over the trials that it saw
    consistency: float  # EC of the first two, over the trials that both saw
    refused: str  # a pattern that the message matches, or nothing


TRUTH = ["cat", "dog", "fox", "cat", "dog", "fox"]
A = ["cat", "dog", "fox", "cat", "fox", "dog"]  # wrong on trials 5 and 6
B = ["cat", "dog", "fox", "dog", "dog", "cat"]  # wrong on trials 4 and 6
NAMES = [f"{n}.png" for n in range(1, 7)]
LONG = "system,image,truth,answer"


def wide(header="image,truth,a,b", *columns, cell=","):
    """Write a file with a row per trial; without columns: names, truth, and the answers of two systems."""
    rows = zip(*(columns or (NAMES, TRUTH, A, B)), strict=True)
    return "\n".join([header, *map(cell.join, rows)]) + "\n"


def long(header=LONG, **changed):
    """Write a file with a row per answer, trial after trial; some answers may be changed, by system and trial."""
    lines = [header]
    for place in range(6):
        for system, answers in {"a": A, "b": B}.items():
            word = changed.get(f"{system}{place + 1}", answers[place])
            if word is not None:
                lines.append(f"{system},{NAMES[place]},{TRUTH[place]},{word}")
    return "\n".join(lines) + "\n"


def changed(answers, **words):
    """Change answers by trial, such as t4="na"."""
    return [words.get(f"t{place}", word) for place, word in enumerate(answers, start=1)]


def read(content, accuracy_a=4 / 6, accuracy_b=4 / 6, consistency=1 / 4, names=("a", "b"), **arguments):
    """Expect what the two systems above give, if nothing else is said."""
    return File(content, arguments, dict(zip(names, (accuracy_a, accuracy_b), strict=True)), consistency, "")


# What the page calls an argument of Python.
ON_PAGE = {"not_shown": "notShown", "absent_not_shown": "absentNotShown"}


def refused(pattern, content, **arguments):
    return File(content, arguments, {}, math.nan, pattern)


LARGE = {"cat": 2**53, "dog": 2**53 + 1, "fox": 2**53 + 2}
NUMBERS = dict(zip(["cat", "dog", "fox"], ["1", "2", "1,000"], strict=True))
QUOTED = [[f'"{NUMBERS[word]}"' for word in words] for words in (TRUTH, A, B)]
CODED = [[{"cat": "NA", "dog": "EU", "fox": "AS"}[word] for word in words] for words in (TRUTH, A, B)]
PADDED = [[{"cat": "001", "dog": "002", "fox": "010"}[word] for word in words] for words in (TRUTH, A, B)]
BINARY = [[*"101010"], [*"101001"], [*"101110"]]
OBJECTS = "".join(
    f'{{"status": ["done"], "image": "{name}", "truth": "{truth}", "a": "{a}", "b": "{b}"}}\n'
    for name, truth, a, b in zip(NAMES, TRUTH, A, B, strict=True)
)
SESSION = "\n".join(
    [f"task,{LONG}", "rest,,,,", "practice 1,a,1.png,cat,dog", *(f"test,{row}" for row in long().splitlines()[1:])]
)
PEOPLE = "".join(
    f"p{name},{subject},0.5,{truth},{said}\n"
    for subject, answers in {"b": B, "a": A}.items()
    for name, truth, said in reversed(list(zip(NAMES, TRUTH, answers, strict=True)))
)
MODEL_VS_HUMAN = "subj,session,trial,rt,object_response,category,condition,imagename\n" + "".join(
    f"{subject},1,{place + 1},0.5,{answers[place]},{TRUTH[place]},0,{NAMES[place]}\n"
    for subject, answers in {"a": A, "b": B}.items()
    for place in range(6)
)

FILES = {
    # ---- a row per trial ---------------------------------------------------------------------------------------------
    "commas": read(wide()),
    "semicolons": read(wide("image;truth;a;b", cell=";")),
    "tabs": read(wide("image\ttruth\ta\tb", cell="\t")),
    "a line that says what separates": read("sep=;\n" + wide("image;truth;a;b", cell=";")),
    "that line, with a mark of its own": read("sep=|\n" + wide("image|truth|a|b", cell="|")),
    "a byte-order mark": read(wide().encode("utf-8-sig")),
    "UTF-16 with its mark": read(wide().encode("utf-16")),
    "compressed": read(gzip.compress(wide().encode())),
    "ends of lines of Windows, and blank lines": read(wide().replace("\n", "\r\n") + "\r\n,,,\r\n"),
    "an empty column at the end": read(wide().replace("\n", ",\n")),
    "the column of numbers that pandas writes": read(
        wide(",image,truth,a,b", [*"012345"], NAMES, TRUTH, A, B), names=("a", "b")
    ),
    "commas within names of systems": read(
        wide('image;truth;"a, big, v2";"b, small"', cell=";"), names=("a, big, v2", "b, small")
    ),
    "invisible characters within cells": read(
        wide("image,truth,a,b", NAMES, TRUTH, changed(A, t1="\u200bcat", t2="dog\ufeff"), changed(B, t1="\u00a0cat "))
    ),
    "a trial called trial": read(wide("trial,truth,a,b")),
    "columns before the truth": read(wide("image,rt,truth,a,b", NAMES, [*"123456"], TRUTH, A, B)),
    "systems that are named": read(wide("image,a,truth,b", NAMES, A, TRUTH, B), system=["a", "b"]),
    "only some systems": read(wide("image,truth,b,note,a", NAMES, TRUTH, B, NAMES, A), system=["a", "b"]),
    "other names of columns": read(wide("picture,label,a,b"), trial=["picture"], truth="label"),
    "trials of two columns": read(
        wide("day,image,truth,a,b", [*"111222"], [*"123123"], TRUTH, A, B), trial=["day", "image"]
    ),
    "a picture in two conditions": read(wide("condition,image,truth,a,b", [*"111222"], [*"123123"], TRUTH, A, B)),
    "a person": read(wide(), person=["a"]),
    "objects, one a line": read(OBJECTS),
    "objects in a list": read(f"[{','.join(OBJECTS.splitlines())}]"),
    # ---- a row per answer --------------------------------------------------------------------------------------------
    "a row per answer": read(long()),
    "a row per answer, in an order of its own": read(
        "image,subject,rt,correct_response,response\n" + PEOPLE,
        names=("b", "a"),
        trial=["image"],
        truth="correct_response",
        system=["subject"],
        answer="response",
    ),
    "the files of model-vs-human": read(
        MODEL_VS_HUMAN, trial=["imagename"], truth="category", system=["subj"], answer="object_response"
    ),
    "rows that are chosen": read(SESSION, where="task != rest and task != 'practice 1'"),
    "a row without an answer": read(long(a4=""), accuracy_a=1 / 2, consistency=2 / 3),
    # ---- no answer, and not shown ------------------------------------------------------------------------------------
    "words that mean no answer": read(
        wide("image,truth,a,b", NAMES, TRUTH, changed(A, t5="na", t6="-1"), changed(B, t4="", t6="None"))
    ),
    "a word of one's own for no answer": read(
        wide("image,truth,a,b", NAMES, TRUTH, changed(A, t1="skip"), B), 1 / 2, 4 / 6, 0.0, missing=["skip"]
    ),
    "a word for what was not shown": read(
        wide("image,truth,a,b", NAMES, TRUTH, changed(A, t1="unseen"), changed(B, t5="unseen")),
        3 / 5,
        3 / 5,
        1 / 2,
        not_shown=["unseen"],
    ),
    "rows that are absent where a trial was not shown": read(
        long(a1=None, b5=None), 3 / 5, 3 / 5, 1 / 2, absent_not_shown=True
    ),
    "rows that are absent, and an answer called so": read(
        long(a1=None, b5="absent"), 3 / 5, 3 / 6, 8 / 13, absent_not_shown=True
    ),
    # ---- classes -----------------------------------------------------------------------------------------------------
    "a class with a comma": read(wide("image,truth,a,b", NAMES, *QUOTED)),
    "a class that is called NA": read(wide("image,truth,a,b", NAMES, *CODED)),
    "classes with zeros in front": read(wide("image,truth,a,b", NAMES, *PADDED)),
    "classes that only capitals tell apart, all named": read(
        wide("image,truth,a,b", NAMES, TRUTH, changed(A, t5="Dog"), B), classes=["cat", "dog", "fox", "Dog"]
    ),
    "systems that are called as classes are, all named": read(
        wide("image,truth,cat,dog"), names=("cat", "dog"), classes=["cat", "dog", "fox"]
    ),
    "more classes than occur": read(wide(), classes=["cat", "dog", "fox", "owl"]),
    "0 and 1 in systems that are named": read(
        wide("image,truth,a,b", NAMES, *BINARY), 4 / 6, 5 / 6, -2 / 7, system=["a", "b"]
    ),
    "classes that are -1, 0 and 1, all named": read(
        wide(
            "image,truth,a,b",
            NAMES,
            *[["01-"["cdf".index(word[0])].replace("-", "-1") for word in words] for words in (TRUTH, A, B)],
        ),
        classes=["-1", "0", "1"],
    ),
    "whole numbers beside those of pandas": read(
        wide("image,truth,a,b", NAMES, [*"012012"], ["0.0", "1.0", "2.0", "0.0", "2.0", "1.0"], [*"012110"])
    ),
    "whole numbers of pandas in the truth": read(
        wide("image,truth,a,b", NAMES, [f"{word}.0" for word in "012012"], [*"012021"], [*"012110"])
    ),
    "words that are typed with blanks and in other letters": read(
        wide("image,vérité,a,b"), truth=" v\u0065\u0301rite\u0301\u200b ", classes=["cat ", "dog", "\ufefffox"]
    ),
    "rows that end as on the first Macintosh": read(wide().replace("\n", "\r")),
    "objects with other ends of lines within words": read(
        "\r\n".join(
            f'{{"image": "{n}\u2028x", "truth": "{t}\u0085", "a": "{a}\u2028", "b": "\u2029{b}"}}'
            for n, t, a, b in zip(NAMES, TRUTH, A, B, strict=True)
        )
    ),
    "rows with other ends of lines within words": read(
        wide("image,truth,a,b", [f"{n}\u0085x" for n in NAMES], TRUTH, [f"{a}\u2028" for a in A], B)
    ),
    "objects whose trials are large numbers": read(
        "\n".join(
            f'{{"image": {2**53 + n}, "truth": "{t}", "a": "{a}", "b": "{b}"}}'
            for n, (t, a, b) in enumerate(zip(TRUTH, A, B, strict=True))
        )
    ),
    "objects whose classes are large numbers": read(
        "\n".join(
            f'{{"image": "{n}", "truth": {LARGE[t]}, "a": {LARGE[a]}, "b": {LARGE[b]}}}'
            for n, t, a, b in zip(NAMES, TRUTH, A, B, strict=True)
        )
    ),
    "objects with NaN": read(
        "\n".join(
            f'{{"image": "{n}", "truth": "{t}", "a": {said}, "b": "{b}", "NaN, rt": NaN}}'
            for n, t, said, b in zip(
                NAMES, TRUTH, [f'"{a}"' if a == t else "NaN" for a, t in zip(A, TRUTH, strict=True)], B, strict=True
            )
        ),
        system=["a", "b"],
    ),
    "objects with numbers and truths": read(
        "\n".join(
            f'{{"image": {n}, "truth": {TRUTH.index(t)}, "a": {TRUTH.index(a)}.0, "b": {TRUTH.index(b)}}}'
            for n, (t, a, b) in enumerate(zip(TRUTH, A, B, strict=True))
        )
    ),
    "blanks in the header": read(wide(" image , true  class ,a ,b"), truth="true class"),
    "blanks in the header, typed otherwise": read(wide(" image , true\u00a0class ,a ,b"), truth="true   class"),
    "letters of two kinds": read(
        wide(
            "image,truth,a,b",
            NAMES,
            *[[f"{w[0]}\u00e9" if k % 2 else f"{w[0]}e\u0301" for k, w in enumerate(x)] for x in (TRUTH, A, B)],
        )
    ),
    "a class called 10": read(
        wide(
            "image,truth,a,b", NAMES, *[[{"cat": "10", "dog": "20", "fox": "30"}[w] for w in x] for x in (TRUTH, A, B)]
        )
    ),
    "a class with a sharp s": read(
        wide(
            "image,truth,a,b",
            NAMES,
            *[[{"cat": "Fuß", "dog": "Hand", "fox": "Kopf"}[w] for w in x] for x in (TRUTH, A, B)],
        )
    ),
    "a sharp s beside two": refused(
        "alike", wide("image,truth,a,b", NAMES, changed(TRUTH, t1="Fuß"), changed(A, t1="Fuss"), B)
    ),
    "a long field": read(
        wide('image,truth,a,b,"prompt"', NAMES, TRUTH, A, B, ['"p, ""q"""', "x" * 140_000, *"yyyy"]), system=["a", "b"]
    ),
    "rows that end as on the first Macintosh, with quotes": read(
        wide("image,truth,a,b,note", NAMES, TRUTH, A, B, ['"p\rq"'] * 6).replace("\n", "\r"), system=["a", "b"]
    ),
    "integers with a gap": read(
        wide("image,truth,a,b", NAMES, [*"012012"], ["0.0", "1.0", "2.0", "0.0", "", ""], [*"012110"])
    ),
    "a class that is called None": read(
        wide(
            "image,truth,a,b", NAMES, *[[{"cat": "None", "dog": "x", "fox": "y"}[w] for w in x] for x in (TRUTH, A, B)]
        )
    ),
    "classes that are called as no answer is, all named": read(
        wide(
            "image,truth,a,b",
            NAMES,
            *[[{"cat": "-", "dog": "timeout", "fox": "y"}[w] for w in x] for x in (TRUTH, A, B)],
        ),
        classes=["-", "timeout", "y"],
    ),
    "classes that are called absent and unseen": read(
        wide(
            "image,truth,a,b",
            NAMES,
            *[[{"cat": "absent", "dog": "unseen", "fox": "y"}[w] for w in x] for x in (TRUTH, A, B)],
        )
    ),
    "numbers of classes": read(
        wide("image,truth,a,b", NAMES, TRUTH, *[[str(TRUTH.index(w)) for w in x] for x in (A, B)]),
        classes=["cat", "dog", "fox"],
    ),
    "numbers of classes from 1": refused(
        "'3'",
        wide("image,truth,a,b", NAMES, TRUTH, *[[str(TRUTH.index(w) + 1) for w in x] for x in (A, B)]),
        classes=["cat", "dog", "fox"],
    ),
    # ---- refused: words that match nothing ---------------------------------------------------------------------------
    "a word for no answer that no cell says": refused("'skip'", wide(), missing=["skip"]),
    "a word for what was not shown in capitals": refused(
        "capitals", wide("image,truth,a,b", NAMES, TRUTH, changed(A, t1="na"), B), not_shown=["NA"]
    ),
    "absent, where no cell says so": refused("absent", long(a1=None), not_shown=["absent"]),
    "a class that means no answer": refused("'cat'", wide(), missing=["cat"], classes=["cat", "dog", "fox"]),
    # ---- refused: rows that are no trials ----------------------------------------------------------------------------
    "the header again, in capitals": refused("header", wide() + "Image,Truth,A,B\n"),
    "a total": refused("row 8.*'6'", wide() + "Total,6,4,4\n"),
    "a row of units": refused("row 2.*'class'", wide().replace("1.png", "file,class,class,class\n1.png")),
    "a mean": refused("row 8.*'mean'", wide() + "all,mean,cat,dog\n"),
    "a remark below": refused("row 8", wide() + "date,2024-05-01,v1.2,v1.3\n"),
    "how many above": refused("row 2", wide().replace("1.png", "all,n=6,0.67,0.66\n1.png", 1)),
    "a count and shares below": refused("row 8", wide() + "all,6,0.67,0.66\n"),
    "a score per class": refused(
        "score per class",
        wide("image,truth,cat,dog,fox", NAMES, TRUTH, *[[f"-{k}.{n}e-1" for n in "123456"] for k in "123"]),
    ),
    "a score per class, called otherwise": refused(
        "score per class",
        wide("image,truth,p_cat,p_dog,p_fox", NAMES, TRUTH, *[[f"0.{k}{n}" for n in "123456"] for k in "123"]),
    ),
    "first, second and third choices": refused(
        "choices",
        wide(
            "image,truth,top1,top2,top3",
            [f"{n}.png" for n in range(24)],
            TRUTH * 4,
            A * 4,
            [{"cat": "dog", "dog": "fox", "fox": "cat"}[word] for word in A * 4],
            [{"cat": "fox", "dog": "cat", "fox": "dog"}[word] for word in A * 4],
        ),
    ),
    "lists of labels": refused(
        "list", wide("image,truth,a,b", NAMES, *[[f"[{len(word)}]" for word in words] for words in (TRUTH, A, B)])
    ),
    "objects with lists of labels": refused(
        "list", "\n".join(f'{{"image": "{n}", "truth": ["cat"], "a": ["dog", "cat"], "b": ["cat"]}}' for n in NAMES)
    ),
    "numbers among words": refused(
        "'0'", wide("image,truth,a,b", NAMES, TRUTH, changed(A, t5="0"), B), classes=["cat", "dog", "fox"]
    ),
    # ---- refused: columns --------------------------------------------------------------------------------------------
    "no trial": refused("image", wide("picture,truth,a,b")),
    "no truth": refused("truth", wide("image,label,a,b")),
    "no such trial": refused("'picture'", wide(), trial=["picture"]),
    "no such system": refused("'c'", wide(), system=["a", "c"]),
    "no such person": refused("'ann'", wide(), person=["ann"]),
    "a person in capitals": refused("'A'.*capitals", wide(), person=["A"]),
    "a system in capitals": refused("'A'.*capitals", wide(), system=["A", "b"]),
    "a trial in capitals": refused("'Image'.*capitals", wide(), trial=["Image"]),
    "a truth in capitals": refused("'Truth'.*capitals", wide(), truth="Truth"),
    "an answer in capitals": refused("'Answer'.*capitals", long(), answer="Answer"),
    "no such answer": refused("'said'", long(), answer="said"),
    "a system without answers": refused("'answer'", long("system,image,truth,said")),
    "systems that stand before the truth": refused(r"\ba\b.*\bb\b", wide("image,a,b,truth", NAMES, A, B, TRUTH)),
    "no header, and nothing is named": refused("header is missing", wide("0.png,cat,fox,dog")),
    "no column to choose rows by": refused("'task'", wide(), where="task == test"),
    "no row that is chosen": refused("says 'cow'", wide(), where="truth == cow"),
    "rows that are chosen in capitals": refused("capitals", wide(), where="truth != CAT"),
    "rows that are chosen by or": refused("says 'cat or a == dog'", wide(), where="truth != cat or a == dog"),
    "rows that are chosen by &&": refused("says 'cat && a", wide(), where="truth != cat && a != dog"),
    "rows that are chosen by AND": refused("says 'cat AND a", wide(), where="truth != cat AND a != dog"),
    "rows that are chosen by a comma": refused("says 'cat, a", wide(), where="truth != cat, a != dog"),
    "rows that are chosen by a formula": refused("expected", wide(), where="truth in ['cat']"),
    "no header": refused(
        "header is missing", wide("0.png,cat,fox,dog"), trial=["0.png"], truth="cat", system=["fox", "dog"]
    ),
    "a system called like a class": refused("'fox'", wide("image,truth,a,fox")),
    "the header again": refused("row 5.*header", wide(cell=",").replace("4.png", "\ufeffimage,truth,a,b\n4.png")),
    "a title": refused("header", "Report of May 2024\n" + wide()),
    "one column twice": refused("'a'.*twice", wide("image,truth,a,a")),
    "right or wrong": refused("'ok'", wide("image,truth,a,ok", NAMES, TRUTH, A, [*"111100"])),
    "right or wrong, where the classes are 0 and 1": refused("'a'", wide("image,truth,a,ok", NAMES, *BINARY)),
    "never a true class": refused("'rt'", wide("image,truth,a,rt", NAMES, TRUTH, A, [*"345678"])),
    # ---- refused: rows -----------------------------------------------------------------------------------------------
    "nothing": refused("holds no", ""),
    "a header alone": refused("holds no", "image,truth,a,b\n"),
    "a row too long": refused("row 3", wide().replace("2.png", "2,png")),
    "a quotation mark that stays open": refused("quot", wide().replace("4.png,cat", '4.png,"cat')),
    "a trial twice": refused("'1.png'.*row 2", wide().replace("4.png", "1.png")),
    "an answer twice": refused("'1.png'.*row 2", long() + "a,1.png,cat,cat\n"),
    "a trial without a name": refused("row 4.*'image'", wide().replace("3.png", "")),
    "a trial without its class": refused("row 5.*'truth'", wide().replace("4.png,cat", "4.png,")),
    "two true classes": refused("'2.png'", long().replace("b,2.png,dog", "b,2.png,cat")),
    "rows that are absent, without a word": refused("absent", long(a1=None)),
    "objects that are cut short": refused("JSON", OBJECTS[:-20]),
    # ---- refused: classes --------------------------------------------------------------------------------------------
    "capitals": refused("alike", wide("image,truth,a,b", NAMES, TRUTH, changed(A, t1="Cat"), B)),
    "zeros": refused(
        "alike", wide("image,truth,a,b", NAMES, [*"121212"], ["01", *"21212"], [*"121212"]), system=["a", "b"]
    ),
    "hyphens": refused(
        "alike", wide("image,truth,a,b", NAMES, changed(TRUTH, t1="sea-cat"), changed(A, t1="sea cat"), B)
    ),
    "no class that was named": refused("'fox'", wide(), classes=["cat", "dog"]),
    # ---- refused: no text --------------------------------------------------------------------------------------------
    "a zip archive": refused("zip", b"PK\x03\x04" + bytes(40)),
    "a pickle": refused("pickle", b"\x80\x04\x95" + bytes(40)),
    "an array of NumPy": refused("NumPy", b"\x93NUMPY\x01\x00" + bytes(40)),
    "an old workbook of Excel": refused("Excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(40)),
    "text in Latin-1": refused("UTF-8", wide().replace("cat", "kätzchen").encode("latin-1")),
    "compressed, and cut short": refused("cut short|damaged", gzip.compress(wide().encode())[:-12]),
}
