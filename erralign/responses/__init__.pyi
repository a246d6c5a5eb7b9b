from erralign.responses.model import Responses as Responses
