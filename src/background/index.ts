import browser from '../browser/browser.ts';
import { createBackground } from './create-background.ts';
import { createMenus, describeEnter } from './entry-points/menus-and-shortcuts.ts';
import { openNotificationTarget } from './report-results.ts';

// All event listeners must be registered synchronously. Otherwise the browser drops the event that started the
// background worker.
const background = createBackground();

browser.runtime.onMessage.addListener(background.onMessage);
browser.runtime.onInstalled.addListener(background.onInstalled);
// The server may be reachable again since the browser was closed.
browser.runtime.onStartup.addListener(background.onOnline);
browser.alarms.onAlarm.addListener(background.onWake);
browser.commands?.onCommand.addListener(background.onCommand);
browser.contextMenus?.onClicked.addListener(background.onMenu);
browser.omnibox?.onInputEntered.addListener(background.onAddressBar);
// The notifications permission is optional. If the user grants it later, clicks on notifications work only after the
// next start of the background worker.
browser.notifications?.onClicked.addListener(openNotificationTarget);
browser.permissions.onAdded.addListener(background.onPermission);
browser.permissions.onRemoved.addListener(background.onPermissionRemoved);
// Android has no windows, so closing a tab counts as closing a window there.
(browser.windows ?? browser.tabs).onRemoved.addListener(background.onWindowClosed);
self.addEventListener('online', background.onOnline);

// These calls run at every start of the background worker. The browser fires no `onStartup` event when it restarts
// the worker or when the user re-enables the extension.
void createMenus().catch(() => undefined);
void describeEnter().catch(() => undefined);
void background.start();
