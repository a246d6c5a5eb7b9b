from erralign.models.categories import category_confidences as category_confidences
from erralign.models.images import Images as Images
from erralign.models.images import open_images as open_images
from erralign.models.loading import load as load
from erralign.models.networks import Classifier as Classifier
from erralign.models.running import Run as Run
from erralign.models.running import features as features
from erralign.models.running import run as run
