import { describe, expect, test } from 'vitest';
import { blockFor, isKeyProblem, type UnblockEvent, unblock } from '../../../src/queue/result.ts';
import type { BlockReason, ProblemCode } from '../../../src/queue/types.ts';
import { EMPTY_STATE } from '../../../src/queue/user-actions.ts';

const HALTS: BlockReason[] = ['unauthorized', 'forbidden', 'key_missing', 'not_a_service', 'redirected', 'permission'];

describe('a blocked queue is unblocked only by the right event', () => {
  test.each<[UnblockEvent, BlockReason[]]>([
    ['permission_granted', ['permission']],
    ['key_accepted', ['unauthorized', 'forbidden']],
    ['user_retries', ['unauthorized', 'forbidden', 'not_a_service', 'redirected']],
    ['connection_saved', ['unauthorized', 'forbidden', 'key_missing', 'not_a_service', 'redirected']],
  ])('%s', (event, ended) => {
    const left = HALTS.filter((blocked) => unblock({ ...EMPTY_STATE, blocked }, event).blocked === null);
    expect(left.toSorted()).toEqual(ended.toSorted());
  });

  test('a queue without a block stays unchanged', () => {
    expect(unblock(EMPTY_STATE, 'connection_saved')).toBe(EMPTY_STATE);
  });
});

test('only a problem that affects all requests blocks the queue', () => {
  const blocking: ProblemCode[] = ['unauthorized', 'forbidden', 'not_a_service', 'redirected'];
  const others: ProblemCode[] = ['invalid_url', 'refused', 'busy'];
  expect([...blocking, ...others].map(blockFor)).toEqual([...blocking, null, null, null]);
});

test('only a refused key or a key without permission is a key problem', () => {
  expect([...HALTS, null].filter(isKeyProblem)).toEqual(['unauthorized', 'forbidden']);
});
