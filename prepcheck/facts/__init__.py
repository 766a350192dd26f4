"""The closed list of what a rule may ask for, and how it is found.

A *thing* is what a rule is about: the model, an input, an image, a buffer, a call, a hand-over, the path of an input,
a line of a log, a diagnosis. Its public attributes are its facts: a rule names them as parameters. A fact that could
have been stated and was not raises `Unstated` (the outcome is *unknown*); a fact that makes no sense for the thing
raises `NotApplicable` (the rule does not count). `things(world, kind)` lists the things of a kind.
"""
