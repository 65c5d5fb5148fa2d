/** What an API key may do: make links, see links and their clicks, edit and delete links. */
export const KEY_SCOPES = ['create', 'read', 'manage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
