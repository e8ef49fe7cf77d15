// Defines those elements of Media Chrome that the settings consist of.
import 'media-chrome/menu/media-chrome-menu.js'
import 'media-chrome/menu/media-playback-rate-menu.js'
import 'media-chrome/menu/media-settings-menu.js'
import 'media-chrome/menu/media-settings-menu-item.js'
