"""A PyTorch model as a scorer: which digit is it, told from 60 labeled images by a network that
has never seen these digits. Needs python3-torch and python3-sklearn (for the images)."""

import torch
from sklearn.datasets import load_digits

import caos

torch.manual_seed(1)
digits = load_digits()
images = torch.tensor(digits.data, dtype=torch.float32) / 16
labels = torch.tensor(digits.target)

# The network learns to tell 5 to 9 apart. It is fixed before anything of 0 to 4 is seen.
body = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 16))
head = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(16, 5))
optimizer = torch.optim.Adam([*body.parameters(), *head.parameters()], lr=0.01)
for _ in range(200):
    optimizer.zero_grad()
    guesses = head(body(images[labels >= 5]))
    torch.nn.functional.cross_entropy(guesses, labels[labels >= 5] - 5).backward()
    optimizer.step()


class SameDigit:
    """How far an image is from the reference, as the network sees them."""

    def __init__(self, network):
        self.network = network.eval()

    @torch.no_grad()
    def score(self, reference, x):
        scores = torch.full((5,), torch.inf)
        scores[reference.y] = torch.dist(self.network(reference.x), self.network(x))
        return scores


order = torch.randperm(int((labels < 5).sum()))
images, labels = images[labels < 5][order], labels[labels < 5][order]
predictors = caos.OneShotPredictors(SameDigit(body), images[:60], labels[:60])
for method in ("caos", "full-caos"):
    for sets in predictors.predict_set(images[60:260], alpha=[0.05, 0.1, 0.2], method=method):
        coverage = sets.covers(labels[60:260]).mean()
        print(f"{method:9}  alpha {sets.alpha:<4}  coverage {coverage:.3f}  "
              f"mean set size {sets.sizes.mean():.2f}  {sets.guarantee}")
