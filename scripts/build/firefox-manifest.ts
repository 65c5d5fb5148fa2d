import type manifest from '../../manifest.json' with { type: 'json' };

/**
 * Derives Firefox's manifest from Chrome's: an event page instead of a service worker, no offscreen documents (its
 * background page has a clipboard of its own), and Mozilla's own settings.
 */
export function firefoxManifest(chrome: typeof manifest) {
  const { minimum_chrome_version: _, background, permissions, ...shared } = chrome;
  return {
    ...shared,
    background: { scripts: [background.service_worker], type: background.type },
    permissions: permissions.filter((permission) => permission !== 'offscreen'),
    browser_specific_settings: {
      gecko: {
        id: 'terse@terse.example',
        // 140 on the desktop and 142 on Android are the first that know data_collection_permissions.
        strict_min_version: '142.0',
        // The address of a page goes to the service the person chose: that is the purpose, and it is said at install.
        data_collection_permissions: { required: ['browsingActivity'] },
      },
      gecko_android: { strict_min_version: '142.0' },
    },
  };
}
