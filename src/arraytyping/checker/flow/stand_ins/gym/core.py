"""`gym.core`: what gym itself has of it."""

from gym import ActionWrapper, Env, ObservationWrapper, RewardWrapper, Wrapper
