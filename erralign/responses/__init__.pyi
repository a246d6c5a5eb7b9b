from erralign.responses.model import Responses as Responses
from erralign.responses.triplets import responses_of_triplets as responses_of_triplets
