import type { CauseTexts } from './cause-texts.ts'

const FRESH =
  'Ihr Server sollte für jeden Seitenaufruf ein Zuschauer-Token erzeugen und die embed_url aus der Antwort verwenden.'
const RELOAD = 'Bitten Sie den Zuschauer, die Seite neu zu laden.'

export const de: CauseTexts = {
  malformed: [
    'Die Adresse des Players ist unvollständig oder wurde verändert: Sie führt zu keinem Video.',
    'Kopieren Sie den Einbettungscode des Videos noch einmal, unverändert.',
  ],
  not_found: [
    'Das Video gibt es in diesem Konto nicht, oder es wurde gelöscht.',
    'Vergleichen Sie die Adresse mit dem Einbettungscode des Videos, und entfernen Sie den Player eines gelöschten Videos von der Seite.',
  ],
  direct_play_not_found: [
    'Die Direct-Play-Seite gibt es nicht: Direct Play ist ausgeschaltet, oder es gibt kein solches Video.',
    'Schalten Sie Direct Play ein, wenn Links zu Videos auch ohne Website funktionieren sollen.',
  ],
  rate_limited: [
    'Aus dem Netz des Zuschauers kamen zu viele Anfragen, die abgewiesen wurden, etwa Seiten ohne gültiges Zuschauer-Token.',
    FRESH,
  ],
  internal_error: [
    'Im Player-Host gab es einen internen Fehler.',
    'Bitten Sie den Betreiber, im Protokoll des Player-Hosts nach dieser Minute zu suchen.',
  ],
  service_unavailable: [
    'Der Player-Host konnte seine Datenbank oder seinen Speicher kurz nicht erreichen.',
    'Bitten Sie den Betreiber, den Zustand von PostgreSQL und Speicher zu dieser Minute zu prüfen.',
  ],
  video_failed: [
    'Das Video konnte nicht verarbeitet werden, also gibt es nichts abzuspielen.',
    'Öffnen Sie das Video: Seine Seite nennt den Grund. Legen Sie es dann neu an.',
  ],
  settings_changed: [
    'Die Einstellungen des Videos haben sich geändert, nachdem die Seite geladen war.',
    RELOAD,
  ],
  no_referrer: [
    'Der Browser hat nicht gesagt, auf welcher Website das Video ist, also konnte keine Domain-Regel es erlauben.',
    'Senden Sie die Seite ohne „Referrer-Policy: no-referrer“, und verwenden Sie den Einbettungscode des Videos mit seinem Attribut referrerpolicy.',
  ],
  domain_blocked: [
    'Die Website steht in der Liste der gesperrten Domains.',
    'Entfernen Sie die Website aus den gesperrten Domains, wenn sie Ihre Videos zeigen darf.',
    'Die Liste der gesperrten Domains weist {host} ab.',
    'Entfernen Sie {host} aus den gesperrten Domains, wenn dort Ihre Videos laufen dürfen.',
  ],
  domain_not_allowed: [
    'Die Website steht nicht in der Liste der erlaubten Domains.',
    'Ergänzen Sie die Website in den erlaubten Domains.',
    '{host} steht nicht in der Liste der erlaubten Domains.',
    'Ergänzen Sie {host} in den erlaubten Domains.',
  ],
  token_missing: [
    'Das Konto verlangt Zuschauer-Token, und die Adresse des Players hatte keines.',
    FRESH,
  ],
  token_expired: [
    'Das Zuschauer-Token war schon abgelaufen, als der Player geladen wurde.',
    'Ihre Seite liegt vermutlich in einem Cache oder war lange offen: Erzeugen Sie für jeden Seitenaufruf ein Token, und senden Sie die Seite mit „Cache-Control: no-store“.',
    'Das Zuschauer-Token war schon {ago} abgelaufen, als der Player geladen wurde.',
  ],
  token_forged: [
    'Das Zuschauer-Token ist nicht echt: Es wurde unterwegs verändert oder mit einem anderen Schlüssel signiert.',
    'Vergleichen Sie den Signaturschlüssel Ihres Servers mit dem des Kontos: Es kann der von vor einem Wechsel sein.',
  ],
  exp_in_milliseconds: [
    'Das Zuschauer-Token ist echt, doch sein exp ist eine Zeit in Millisekunden.',
    'Schreiben Sie exp als Unix-Zeit in Sekunden, wo Ihr Server Token signiert.',
  ],
  viewer_revoked: [
    'Der Zuschauer ist gesperrt: Alle seine Token werden abgewiesen.',
    'Lassen Sie den Zuschauer wieder zu, wenn das ein Irrtum war.',
    'Der Zuschauer {viewer} ist gesperrt: Alle seine Token werden abgewiesen.',
    'Lassen Sie {viewer} wieder zu, wenn das ein Irrtum war.',
  ],
  open_app: [
    'Der App-Only-Modus ist an, und unter Android läuft das Video nur in der App.',
    'Bitten Sie den Zuschauer, das Video in der App zu öffnen, oder schalten Sie den App-Only-Modus aus.',
  ],
  open_edge: [
    'Der App-Only-Modus ist an, und unter Windows läuft das Video nur in Edge.',
    'Bitten Sie den Zuschauer, die Seite in Edge zu öffnen, oder schalten Sie den App-Only-Modus aus.',
    'Der App-Only-Modus ist an, und das war {device}: Unter Windows läuft das Video nur in Edge.',
  ],
  open_safari: [
    'Der App-Only-Modus ist an, und auf Apple-Geräten läuft das Video nur in Safari.',
    'Bitten Sie den Zuschauer, die Seite in Safari zu öffnen, oder schalten Sie den App-Only-Modus aus.',
    'Der App-Only-Modus ist an, und das war {device}: Auf Apple-Geräten läuft das Video nur in Safari.',
  ],
  guidance: [
    'Der App-Only-Modus ist an, und dieser Browser hat kein Hardware-DRM.',
    'Bitten Sie den Zuschauer, die Android-App, Edge unter Windows oder Safari auf einem Apple-Gerät zu verwenden, oder schalten Sie den App-Only-Modus aus.',
    'Der App-Only-Modus ist an, und {device} hat kein Hardware-DRM.',
  ],
  no_hardware: [
    'Der App-Only-Modus ist an, und dieser Browser hat auf diesem Gerät kein Hardware-DRM.',
    'Bitten Sie den Zuschauer, das System zu aktualisieren und die Hardwarebeschleunigung einzuschalten oder ein anderes Gerät zu verwenden.',
    'Der App-Only-Modus ist an, und {device} hat auf diesem Gerät kein Hardware-DRM.',
  ],
  no_script: [
    'JavaScript war aus, oder das iframe hat ein sandbox-Attribut, das es sperrt.',
    'Entfernen Sie das sandbox-Attribut vom iframe, oder bitten Sie den Zuschauer, JavaScript einzuschalten.',
  ],
  no_encrypted_media: [
    'Das iframe lässt den Player nicht entschlüsseln: Seinem Attribut allow fehlt encrypted-media.',
    'Verwenden Sie den Einbettungscode des Videos unverändert, mit seinem Attribut allow.',
    'Das iframe auf {host} lässt den Player nicht entschlüsseln: Seinem Attribut allow fehlt encrypted-media.',
  ],
  sandboxed: [
    'Das iframe hat ein sandbox-Attribut, in dem geschützte Videos nicht laufen.',
    'Entfernen Sie das sandbox-Attribut vom iframe.',
  ],
  insecure: [
    'Die Seite wurde nicht über https geladen, und Browser entschlüsseln nur auf sicheren Seiten.',
    'Liefern Sie die Seite mit dem Player über https aus.',
    'Die Seite auf {host} wurde nicht über https geladen, und Browser entschlüsseln nur auf sicheren Seiten.',
  ],
  unsupported: [
    'Dieser Browser kann geschützte Videos nicht abspielen.',
    'Bitten Sie den Zuschauer, den Browser zu aktualisieren oder Chrome, Edge, Firefox oder Safari zu verwenden.',
    '{device} konnte das geschützte Video nicht abspielen.',
  ],
  licence_refused: [
    'Der Schlüssel des Videos wurde verweigert: Die Sitzung war zu Ende oder ungültig, oder der DRM-Anbieter hat keine Lizenz dafür.',
    'Bitten Sie den Zuschauer, die Seite neu zu laden. Hilft das bei einem Multi-DRM-Video nicht, bitten Sie den Betreiber, „reelgate doctor drm“ auszuführen.',
  ],
  secret_rotated: [
    'Der Signaturschlüssel wurde während der Wiedergabe ersetzt, was alle Sitzungen beendet.',
    RELOAD,
  ],
  video_deleted: [
    'Das Video wurde gelöscht, während die Seite offen war.',
    'Entfernen Sie den Player von der Seite, oder betten Sie ein anderes Video ein.',
  ],
  too_many_streams: [
    'Der Zuschauer hat mehr Videos gleichzeitig abgespielt, als das Konto erlaubt.',
    'Bitten Sie den Zuschauer, andere Player zu schließen, oder erhöhen Sie die Grenze.',
    '{viewer} hat mehr Videos gleichzeitig abgespielt, als das Konto erlaubt.',
  ],
  session_ended: [
    'Die Wiedergabe wurde beendet: im Dashboard, durch geänderte Domain-Regeln, weil jetzt Tokens verlangt werden, oder weil sie sich lange nicht gemeldet hat.',
    RELOAD,
  ],
  network: [
    'Die Verbindung des Zuschauers ist abgebrochen, oder eine Firewall sperrt den Player oder den Medien-Host.',
    'Bitten Sie den Zuschauer, ein anderes Netz zu versuchen. Haben viele das Problem, prüfen Sie, ob ihre Netze Player und Medien-Host erreichen.',
    'Der Player-Host oder der Medien-Host hat mit einem Fehler geantwortet (HTTP {status}).',
    'Fragen Sie den Betreiber, warum ein Server zu dieser Minute mit HTTP {status} geantwortet hat: Er prüft den Zustand von PostgreSQL und Speicher.',
  ],
  watermark_lost: [
    'Etwas hat das Wasserzeichen verdeckt oder entfernt, also wurde die Wiedergabe angehalten.',
    'Bitten Sie den Zuschauer, Erweiterungen auszuschalten, die Seiten verändern, etwa für ein dunkles Aussehen.',
  ],
  watermark: [
    'Am Wasserzeichen wurde manipuliert, also wurde die Wiedergabe beendet.',
    'Sehen Sie sich die Sicherheitsereignisse dieses Zuschauers an.',
  ],
  failed: [
    'Der Browser konnte nicht abspielen, was er bekommen hat.',
    'Spielen Sie das Video selbst ab. Läuft es, bitten Sie den Zuschauer, den Browser zu aktualisieren; wenn nicht, legen Sie das Video neu an.',
    '{device} konnte nicht abspielen, was der Player bekommen hat.',
  ],
  drm_device_revoked: [
    'Das Gerät des Zuschauers ist gesperrt: Es bekommt keine Lizenzen.',
    'Bitten Sie den Betreiber, das Gerät mit „reelgate devices restore“ wieder zuzulassen, wenn das ein Irrtum war.',
  ],
  drm_security_too_low: [
    'Das Gerät ist weniger sicher, als die Lizenzen des Kontos verlangen.',
    'Bitten Sie den Zuschauer, Edge unter Windows, Safari auf einem Apple-Gerät oder ein anderes Gerät zu verwenden.',
    '{device} ist weniger sicher, als die Lizenzen des Kontos verlangen.',
  ],
  drm_output_blocked: [
    'Der angeschlossene Bildschirm schützt das Bild nicht (HDCP).',
    'Bitten Sie den Zuschauer, externe Bildschirme und Adapter zu trennen und die Bildschirmfreigabe zu beenden.',
  ],
  drm_unavailable: [
    'Der Lizenzserver des DRM-Anbieters hat nicht geantwortet.',
    'Bitten Sie den Betreiber, „reelgate doctor drm“ auszuführen.',
  ],
  drm_expired: ['Die Lizenz des Videos ist abgelaufen und wurde nicht erneuert.', RELOAD],
  drm_no_cdm: [
    'Dieser Browser hat kein DRM, das das Video abspielen kann, oder es ist ausgeschaltet.',
    'Bitten Sie den Zuschauer, in den Einstellungen des Browsers geschützte Inhalte (DRM) zuzulassen oder Chrome, Edge, Firefox oder Safari zu verwenden.',
    '{device} hat kein DRM, das das Video abspielen kann, oder es ist ausgeschaltet.',
  ],
  invalid_request: [
    'Die App hat eine Anfrage gesendet, die sich nicht lesen ließ.',
    'Bitten Sie den Zuschauer, die App zu aktualisieren.',
  ],
  invalid_link: [
    'Der Link, der die App geöffnet hat, ist unvollständig oder wurde verändert.',
    'Öffnen Sie die App mit dem Link der Seite, unverändert.',
  ],
  app_playback_off: [
    'Die App ist in dieser Installation ausgeschaltet.',
    'Bitten Sie den Betreiber, APP_PLAYBACK zu setzen, oder schalten Sie den App-Only-Modus aus.',
  ],
  multi_drm_required: [
    'Die App spielt nur Multi-DRM-Videos, und dieses Video ist anders geschützt.',
    'Bitten Sie den Zuschauer, das Video im Browser abzuspielen.',
  ],
  invalid_challenge: [
    'Die App hat eine Challenge verwendet, die abgelaufen war oder zu einem anderen Link gehörte.',
    'Bitten Sie den Zuschauer, das Video von der Seite aus noch einmal zu öffnen; die Uhr des Geräts muss stimmen.',
  ],
  attestation_required: [
    'Die App hat sich nicht ausgewiesen, was diese Installation verlangt.',
    'Bitten Sie den Zuschauer, die App aus ihrem Store zu installieren.',
  ],
  attestation_refused: [
    'Der Nachweis der App wurde abgelehnt: App oder Gerät sind nicht echt.',
    'Bitten Sie den Zuschauer, die App aus ihrem Store zu installieren, auf einem Gerät ohne Root-Zugriff.',
  ],
  unknown_attestation_key: [
    'Die App hat einen Schlüssel verwendet, der hier nicht mehr bekannt ist.',
    'Bitten Sie den Zuschauer, das Video noch einmal zu öffnen: Die App weist dann einen neuen Schlüssel aus.',
  ],
  video_not_ready: [
    'Das Video wurde noch vorbereitet, als die App danach fragte.',
    'Warten Sie, bis das Video abspielbar ist.',
  ],
}
