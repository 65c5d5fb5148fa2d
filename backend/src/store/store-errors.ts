/** Error whose message is written for the operator of the service. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Thrown if a setting cannot be used with the data in the database. */
export class SettingError extends StoreError {
  override name = 'SettingError';
}

/** The database is unreachable or overloaded. `cause` is the original error. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(cause: unknown, message = 'The database is unreachable at the moment.') {
    super(message, { cause });
  }
}

/** The disk that stores the database is full. Reads still work, but writes fail. */
export class StoreFull extends StoreUnavailable {
  override name = 'StoreFull';

  constructor(cause: unknown) {
    super(cause, 'The disk of the database is full, so nothing can be saved.');
  }
}

/** The database did not respond in time. The operation may still have succeeded. */
export class StoreTimeout extends StoreUnavailable {
  override name = 'StoreTimeout';

  constructor() {
    super(new Error('The database did not respond in time.'));
  }
}
