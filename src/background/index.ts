import browser from '../browser/browser.ts';
import { createBackground } from './create-background.ts';
import { createMenus } from './entry-points/context-menu.ts';
import { openNotificationTarget } from './results/report-results.ts';

// Every listener, registered synchronously: a browser that wakes the background for an event drops the event otherwise.
const background = createBackground();

browser.runtime.onMessage.addListener(background.onMessage);
browser.runtime.onInstalled.addListener(background.onInstalled);
browser.runtime.onUpdateAvailable.addListener(background.onUpdateAvailable);
browser.runtime.onStartup.addListener(background.onWake);
browser.alarms.onAlarm.addListener(background.onWake);
browser.commands?.onCommand.addListener(background.onCommand);
browser.contextMenus?.onClicked.addListener(background.onMenu);
const { omnibox } = background;
browser.omnibox?.onInputChanged.addListener((text, suggest) => void omnibox.changed(text, suggest));
browser.omnibox?.onInputEntered.addListener((text) => void omnibox.entered(text));
browser.omnibox?.onInputCancelled.addListener(() => omnibox.ended());
// Where it is allowed only now, from the next start on.
browser.notifications?.onClicked.addListener(openNotificationTarget);
browser.permissions.onAdded.addListener(background.onPermission);
// Android has no windows: there a private tab that closes may be the last.
(browser.windows ?? browser.tabs).onRemoved.addListener(background.onWindowClosed);
self.addEventListener('online', background.onOnline);

// Not left to onStartup: neither a killed background nor a re-enabled extension would get it.
void createMenus().catch(() => undefined);
void background.start();
