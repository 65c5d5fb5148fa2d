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
 * Adapter for servers that have only the endpoints of the specification. It has the same methods as `terseAdapter`,
 * but its capabilities include no optional features. Once the server has a service document, `terseAdapter` is used
 * instead.
 */
export const specificationAdapter: ServiceAdapter = {
  ...terseAdapter,
  kind: 'specification',
  name: 'any other server',
  capabilities: specificationCapabilities,
  detect: null,
};
