"""Networks that are not of timm: what a function of a reader returns, and folders of Hugging Face and CLIP."""

import importlib.util
import inspect
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from erralign._validation import DataError, expected, lacking
from erralign.datasets.stimuli import sixteen_categories
from erralign.models.libraries import timm, torch
from erralign.models.networks import first_line

_FORM = "expected a function without arguments that returns a network and its transform, or these and its words"
_PROMPT = "a photo of a {}"


class _Made(NamedTuple):
    """A network, what prepares a picture for it, and what its outputs mean (None: ImageNet's classes)."""

    module: Any
    transform: Callable[[Any], Any] | None
    words: tuple[str, ...] | None


_beside: set[str] = set()  # modules that a model's file imported from its own folder


def _loaded_from(folder: Path, before: set[str]) -> set[str]:
    """Return modules that are new and lie in a folder, not those that are installed below it."""
    tops = {name.partition(".")[0] for name in before}
    found = set()
    for name in set(sys.modules) - before:
        top = name.partition(".")[0]
        file = getattr(sys.modules[name], "__file__", None) or ""
        if top not in tops and (file == str(folder / f"{top}.py") or file.startswith(f"{folder / top}{os.sep}")):
            found.add(name)
    return found


def from_function(path: Path, function: str) -> _Made:
    """Call a function in a file of Python."""
    what = f"{path.name}:{function}"
    spec = importlib.util.spec_from_file_location(f"erralign_model_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    code = importlib.util.module_from_spec(spec)
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)  # what it imports lies beside it
    sys.modules[spec.name] = code
    for name in _beside:  # of another file, or as it was before it was changed
        sys.modules.pop(name, None)
    _beside.clear()
    timm()  # and torchvision, which the file may import: a wheel that was made for another torch needs help
    before = set(sys.modules)
    try:
        spec.loader.exec_module(code)
        make = getattr(code, function, None)
        if not callable(make):
            there = [name for name, each in vars(code).items() if inspect.isfunction(each)]
            hint = expected(function, there) if there else "it has no function"
            raise DataError(f"{path.name} has no function {function!r}; {hint}")
        made = make()
    except DataError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | MemoryError):
            raise
        raise DataError(f"{what} failed ({type(error).__name__}: {first_line(error)})") from error  # type: ignore[arg-type]
    finally:
        sys.path.remove(folder)
        _beside.update(_loaded_from(Path(folder), before))
    if not isinstance(made, tuple) or len(made) not in (2, 3):
        raise ValueError(f"{what} returned {type(made).__name__}; {_FORM}")
    module, transform, *words = made
    if not callable(module) or not callable(transform):
        raise ValueError(f"{what} returned {type(module).__name__} and {type(transform).__name__}; {_FORM}")
    if words and words[0] is not None:
        if isinstance(words[0], str) or not all(isinstance(word, str) for word in words[0]):
            raise ValueError(f"{what} returned words that are no list of text; {_FORM}")
        return _Made(module, transform, tuple(words[0]))
    return _Made(module, transform, None)


# ---- Hugging Face ----------------------------------------------------------------------------------------------------


def from_folder(path: Path, classes: tuple[str, ...] | None) -> _Made:
    """Load what ``save_pretrained`` of transformers wrote: a classifier, or a network of pictures and words."""
    try:
        kind = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(
            f"the folder {path} has no config.json that can be read; expected what save_pretrained of transformers "
            "wrote"
        ) from error
    try:
        import transformers
    except ModuleNotFoundError as error:
        raise lacking("a folder of Hugging Face", "words", error.name) from error
    timm()  # brings torchvision, which transformers looks for, also where it was built apart
    try:
        prepare = _processor(transformers, path)
        if "text_config" in kind:
            return _of_words(transformers, path, prepare, classes or tuple(sixteen_categories()))
        module = transformers.AutoModelForImageClassification.from_pretrained(path, local_files_only=True)
    except Exception as error:
        raise DataError(f"{path} cannot be loaded by transformers ({first_line(error)})") from error
    words = tuple(module.config.id2label[place] for place in range(module.config.num_labels))
    return _Made(module, prepare, classes or _unless_imagenet(words))


def _processor(transformers: Any, path: Path) -> Callable[[Any], Any]:
    processor = transformers.AutoImageProcessor.from_pretrained(path, local_files_only=True)
    return _Prepared(processor)


class _Prepared:
    """What a processor of transformers makes of one picture."""

    def __init__(self, processor: Any) -> None:
        self.processor = processor

    def __call__(self, picture: Any) -> Any:
        """Return a tensor."""
        return self.processor(images=picture, return_tensors="pt")["pixel_values"][0]


def _unless_imagenet(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return None for the 1,000 classes of ImageNet in their order."""
    known = timm().data.ImageNetInfo()
    ids = known.label_names()
    ours = [known.label_name_to_description(name) for name in ids]
    if len(words) != len(ours):
        return words
    same = sum(word in (own, own.split(", ")[0], name) for word, own, name in zip(words, ours, ids, strict=True))
    unnamed = all(word == f"LABEL_{place}" for place, word in enumerate(words))
    return None if unnamed or same > 0.9 * len(ours) else words


def _of_words(transformers: Any, path: Path, prepare: Callable[[Any], Any], words: tuple[str, ...]) -> _Made:
    """Let a network of pictures and words answer with the word whose sentence is nearest to a picture."""
    both = transformers.AutoModel.from_pretrained(path, local_files_only=True).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path, local_files_only=True)
    sentences = [_PROMPT.format(word) for word in words]
    padding = "max_length" if "siglip" in both.config.model_type else True
    tokens = tokenizer(sentences, padding=padding, return_tensors="pt")
    with torch().no_grad():
        texts = _embedding(both.get_text_features(**tokens))
        scale = both.logit_scale.exp() if hasattr(both, "logit_scale") else torch().tensor(100.0)
    return _Made(_of_pictures_and_words(both, texts, scale), prepare, words)


def _embedding(found: Any) -> Any:
    return found if isinstance(found, torch().Tensor) else found.pooler_output


def _of_pictures_and_words(both: Any, texts: Any, scale: Any) -> Any:
    """Return a network whose last layer compares what it sees with what the words say."""
    normalize = torch().nn.functional.normalize

    class PicturesAndWords(torch().nn.Module):  # type: ignore[misc]
        """The logits are cosines of picture and sentence, times the network's temperature."""

        def __init__(self) -> None:
            super().__init__()
            self.both = both
            self.words = torch().nn.Linear(texts.shape[1], len(texts), bias=False)
            self.words.weight.data = normalize(texts, dim=1) * scale

        def forward(self, pixels: Any) -> Any:
            return self.words(normalize(_embedding(self.both.get_image_features(pixel_values=pixels)), dim=1))

    return PicturesAndWords()
