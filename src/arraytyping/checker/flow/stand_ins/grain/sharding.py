"""`grain.sharding`: which part of the elements a process reads."""

from grain.options import NoSharding, ShardByJaxProcess, ShardOptions
