import type { ErrorCode } from '@terse/contract';
import type { Services } from './endpoint.ts';
import { ApiError } from './errors.ts';

/** The service's addresses, as they were when links were made: an answer that is given again has the same. */
export type Addresses = Pick<Services, 'baseUrl' | 'shortBaseUrl'>;

/** An error that is to be worded later. */
export interface DraftError {
  code: ErrorCode;
  sentence: string;
}

export const draftError = ({ code, message }: ApiError): DraftError => ({ code, sentence: message });

/** What an answer is worded from: the request's own draft, or the error that refuses it as a whole. */
type KeptDraft<Draft> = { addresses: Addresses; draft: Draft } | { error: DraftError };

/** A draft as text, as the store keeps it with the links that were made. */
export function writeDraft<Draft>(draft: Draft | ApiError, { baseUrl, shortBaseUrl }: Addresses): string {
  const kept: KeptDraft<Draft> =
    draft instanceof ApiError ? { error: draftError(draft) } : { addresses: { baseUrl, shortBaseUrl }, draft };
  return JSON.stringify(kept);
}

/** Reads a draft back; an error that refused its whole request comes back as such. */
export function readDraft<Draft>(text: string): { addresses: Addresses; draft: Draft } | ApiError {
  const kept = JSON.parse(text) as KeptDraft<Draft>;
  return 'error' in kept ? new ApiError(kept.error.code, kept.error) : kept;
}
