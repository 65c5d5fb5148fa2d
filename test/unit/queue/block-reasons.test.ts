import { describe, expect, test } from 'vitest';
import { EMPTY_STATE } from '../../../src/queue/add-replace-delete-connection.ts';
import { blockFor, type UnblockEvent, unblock } from '../../../src/queue/block-reasons.ts';
import type { BlockReason, ProblemCode } from '../../../src/queue/types.ts';

const HALTS: BlockReason[] = ['unauthorized', 'key_missing', 'not_a_service', 'redirected', 'permission'];

describe('a blocked queue is unblocked only by the right event', () => {
  test.each<[UnblockEvent, BlockReason[]]>([
    ['permission_granted', ['permission']],
    ['key_accepted', ['unauthorized']],
    ['user_retries', ['unauthorized', 'not_a_service', 'redirected']],
    ['connection_tested', ['unauthorized', 'not_a_service', 'redirected']],
    ['connection_saved', ['unauthorized', 'key_missing', 'not_a_service', 'redirected']],
  ])('%s', (event, ended) => {
    const left = HALTS.filter((halt) => unblock({ ...EMPTY_STATE, halt }, event).halt === null);
    expect(left.toSorted()).toEqual(ended.toSorted());
  });

  test('and a queue that is not blocked stays unchanged', () => {
    expect(unblock(EMPTY_STATE, 'connection_saved')).toBe(EMPTY_STATE);
  });
});

test('only a problem that affects all requests blocks the queue', () => {
  const codes: ProblemCode[] = ['unauthorized', 'not_a_service', 'redirected', 'invalid_url', 'refused', 'busy'];
  expect(codes.filter((code) => blockFor(code) !== null)).toEqual(['unauthorized', 'not_a_service', 'redirected']);
});
