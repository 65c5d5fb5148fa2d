import type { Group, Link, Queue, Time } from '../queue/types.ts';
import type { QueuesView } from './view.ts';

/** What a rule made of a queue, the links and the group to add, and whatever its caller wants to know. */
export interface Decided<T> {
  queue: Queue;
  links?: Link[];
  group?: Group;
  value: T;
}

/** Decides on one queue, at the time its transaction runs. */
export type RuleOfOne<T> = (queue: Queue, time: Time) => Decided<T>;

/**
 * Decides on one queue, at the time its transaction runs. `known`: the links it asked about, on any connection, those of
 * private windows too. A rule that returns the queue it was given, and no links, changes nothing.
 */
export type Rule<T> = (queue: Queue, time: Time, known: Link[]) => Decided<T>;

/** The same, given the API key of the connection. */
export type RuleWithKey<T> = (queue: Queue, time: Time, apiKey: string, known: Link[]) => Decided<T>;

/** Everything about every connection, for the rules about connections themselves. */
export interface Everything extends QueuesView {
  /** Of each connection, by its id. */
  apiKeys: Map<string, string>;
}

/** Decides on all queues, at the time its transaction runs. A queue that is not in the result is forgotten. */
export type RuleOfAll<T> = (all: Everything, time: Time) => { all: Everything; links?: Link[]; value: T };
