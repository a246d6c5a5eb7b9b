"""Networks of four families, built from timm's parts and small enough for pictures of eight by eight pixels."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from erralign.models.libraries import timm, torch

PATCH: Final = 4  # pixels to a side, of ViT and Mixer
BLOCKS: Final = 5
WIDTHS: Final = (16, 16, 24, 24, 32)  # channels of the plain network's convolutions
STRIDES: Final = (1, 1, 2, 1, 2)
STAGES: Final = (8, 16, 24, 32)  # channels of ResNet's stages, one block each


@dataclass(frozen=True)
class Family:
    """A network, and where its representations are."""

    model: Any  # pictures in, logits out
    blocks: tuple[Any, ...]  # whose outputs are representations; the last one's as the classifier gets it
    classifier: Any  # the last linear map


def family(name: str, side: int, n_classes: int, *, scale: int = 1) -> Family:
    """Build a network with new weights, by torch's generator."""
    timm()  # before its parts are imported: this sees to torchvision
    return FAMILIES[name](side, n_classes, scale)


def _plain(_: int, n_classes: int, scale: int) -> Family:
    nn, convolution = torch().nn, import_module("timm.layers").ConvNormAct
    widths = [width * scale for width in WIDTHS]
    sizes = zip([3, *widths], widths, STRIDES, strict=False)
    blocks = [convolution(before, after, 3, stride=stride) for before, after, stride in sizes]
    classifier = nn.Linear(widths[-1], n_classes)
    return Family(nn.Sequential(*blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), classifier), (*blocks,), classifier)


def _resnet(_: int, n_classes: int, scale: int) -> Family:
    resnet = import_module("timm.models.resnet")
    channels = tuple(width * scale for width in STAGES)
    model = resnet.ResNet(resnet.BasicBlock, (1, 1, 1, 1), num_classes=n_classes, channels=channels)
    # The usual first steps, made for large pictures, would leave two pixels to a side.
    model.conv1 = torch().nn.Conv2d(3, model.conv1.out_channels, 3, 1, 1, bias=False)
    model.maxpool = torch().nn.Identity()
    return Family(model, (model.act1, model.layer1, model.layer2, model.layer3, model.layer4), model.fc)


def _vit(side: int, n_classes: int, scale: int) -> Family:
    size = {"img_size": side, "patch_size": PATCH, "embed_dim": 32 * scale, "depth": BLOCKS, "num_heads": 2 * scale}
    build = import_module("timm.models.vision_transformer").VisionTransformer
    model = build(**size, mlp_ratio=2, num_classes=n_classes)
    return Family(model, (*model.blocks,), model.head)


def _mixer(side: int, n_classes: int, scale: int) -> Family:
    size = {"img_size": side, "patch_size": PATCH, "embed_dim": 32 * scale, "num_blocks": BLOCKS}
    model = import_module("timm.models.mlp_mixer").MlpMixer(**size, mlp_ratio=(1, 2), num_classes=n_classes)
    return Family(model, (*model.blocks,), model.head)


FAMILIES: Final[dict[str, Callable[[int, int, int], Family]]] = {
    "plain": _plain,
    "ResNet": _resnet,
    "ViT": _vit,
    "Mixer": _mixer,
}


def with_layers(built: Family, pictures: Any) -> tuple[Any, list[Any]]:
    """Return a network's logits for pictures, and its representations of them."""
    found: list[Any] = []
    token = hasattr(built.model, "cls_token")

    def keep(*seen: Any) -> None:
        found.append(_pooled(seen[-1], token))

    hooks = [block.register_forward_hook(keep) for block in built.blocks]
    hooks.append(built.classifier.register_forward_pre_hook(lambda *seen: found.append(seen[-1][0])))
    with torch().no_grad():
        logits = built.model(pictures)
    for hook in hooks:
        hook.remove()
    return logits, [*found[: len(built.blocks) - 1], found[-1]]


# A map of features over positions is averaged, a transformer's is its class token: the way to the classifier.
def _pooled(features: Any, token: bool) -> Any:
    if features.ndim == 4:
        return features.mean(dim=(2, 3))
    return features[:, 0] if token else features.mean(dim=1)
