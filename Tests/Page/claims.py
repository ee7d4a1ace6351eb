"""What every visit needs: to claim something, and to look whether anything went wrong."""


class Claims:
    def __init__(self, house, chromium, pictures, picture, speed):
        self.house, self.chromium, self.pictures, self.picture, self.speed = house, chromium, pictures, picture, speed
        self.failures = 0

    def claim(self, text, holds, problem=""):
        """Prints the claim, and what speaks against it."""
        self.failures += not holds
        print(f"{'ok' if holds else 'FAILED'}  {text}{'' if holds else f': {problem}'}", flush=True)

    def calm(self, visitor, occasion, busy=()):
        """Where many ask at once, calls of `busy` may be told to come again (503)."""
        troubles = [one for one in visitor.taken_troubles() if not (busy and "503" in one and any(path in one for path in busy))]
        self.claim(f"no error in console or network: {occasion}", not troubles, "; ".join(troubles))

    def shot(self, visitor, name, **more):
        visitor.page.screenshot(path=str(self.pictures / f"{name}.png"), **more)
