/** File that waits for the user's confirmation, or is being imported. */
export interface Upload {
  id: number;
  name: string;
  size: number;
  /** Preview of the file, as JSON. */
  preview: string;
  /** Id of the import of this file, or null if the user has not confirmed it yet. */
  importId: number | null;
}

/** Stores uploaded files in pieces, so that any process can import a file that another process received. */
export interface UploadStore {
  /**
   * Creates an empty upload and returns its id. Replaces the account's upload that waits for confirmation. If all
   * uploads together would have more than `max` bytes, the oldest waiting uploads are deleted. Returns null if this is
   * not sufficient.
   *
   * @param size size of the file, or its maximum if the size is not known yet
   */
  begin(accountId: number, token: string, size: number, max: number, now: number): Promise<number | null>;
  /** Appends a piece of the file. Returns false if the upload was replaced or deleted. */
  add(id: number, position: number, content: Uint8Array): Promise<boolean>;
  /** Marks the upload as complete. Returns false if the upload was replaced or deleted. */
  complete(id: number, name: string, preview: string): Promise<boolean>;
  /** Returns a complete upload of the account that was created after `since`. */
  find(accountId: number, token: string, since: number): Promise<Upload | null>;
  /** Returns a piece of the file, or null if the upload was deleted. */
  piece(id: number, position: number): Promise<Uint8Array | null>;
  /** Notes the import of the file, so that the upload is no longer replaced. */
  confirm(id: number, importId: number): Promise<void>;
  /** Deletes the content of a file. A confirmed upload itself stays, so that its form can be sent again. */
  discard(id: number): Promise<void>;
  /** Deletes uploads that were created before a time. */
  forget(createdBefore: number): Promise<void>;
}
