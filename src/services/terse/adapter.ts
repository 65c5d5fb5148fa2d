import { ServiceDocument } from '@terse/contract/service-capabilities';
import type { ServiceAdapter } from '../service-adapter.ts';
import { specificationCapabilities, terseCapabilities } from './capabilities.ts';
import { createLinks } from './create-links.ts';
import { findLink } from './find-created-links.ts';
import { codeUse, deleteLink, editLink, listLinks, readClicks } from './list-edit-delete-links.ts';
import { probeTerse } from './probe.ts';

/**
 * Adapter for servers with our API. A server's service document lists the optional features that the server supports.
 */
export const terseAdapter: ServiceAdapter = {
  kind: 'terse',
  name: 'Terse',
  capabilities: terseCapabilities,
  detect: {
    path: '/api',
    matches: ({ status, json }) => status === 200 && ServiceDocument.safeParse(json).success,
  },
  probe: probeTerse,
  create: createLinks,
  find: findLink,
  list: listLinks,
  edit: editLink,
  delete: deleteLink,
  clicks: readClicks,
  codeUse,
};

/**
 * Adapter for servers that implement only the required endpoints of the API specification. These servers have no
 * optional features.
 */
export const specificationAdapter: ServiceAdapter = {
  ...terseAdapter,
  kind: 'specification',
  name: 'any other server',
  capabilities: specificationCapabilities,
  detect: null,
};
