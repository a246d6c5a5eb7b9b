from erralign.training.linear import linear_head as linear_head
from erralign.training.losses import soft_cles as soft_cles
from erralign.training.losses import soft_ec as soft_ec
from erralign.training.losses import soft_ma as soft_ma
from erralign.training.losses import wrong_answers as wrong_answers
