import type { OverviewWords } from './en.ts'

export const de: OverviewWords = {
  title: 'Übersicht',
  steps: {
    title: 'Erste Schritte',
    progress: '{done} von {all} erledigt',
    done: 'Erledigt',
    open: 'Offen',
    dismiss: 'Ausblenden',
    video_added: {
      title: 'Ein Video hinzufügen',
      text: 'Fügen Sie den Link zu einer Videodatei ein.',
      link: 'Video hinzufügen',
    },
    video_ready: {
      title: 'Warten, bis es bereit ist',
      text: 'Es wird geladen, kodiert und verschlüsselt. Das dauert etwa so lange wie das Video.',
      link: 'Fortschritt ansehen',
    },
    played_elsewhere: {
      title: 'In Ihre Website einbetten',
      text: 'Kopieren Sie den Code von der Seite des Videos und spielen Sie es auf Ihrer eigenen Seite ab.',
      link: 'Video auswählen',
    },
    access_restricted: {
      title: 'Zugriff einschränken',
      text: 'Verlangen Sie Zuschauer-Tokens, oder erlauben Sie nur Ihre eigenen Domains.',
      link: 'Domains einschränken',
    },
    webhook_delivered: {
      title: 'Webhooks empfangen',
      text: 'Ihr Server erfährt, was geschieht. Erledigt mit der ersten erfolgreichen Zustellung.',
      link: 'Endpunkt hinzufügen',
    },
    colleague_invited: {
      title: 'Eine Kollegin oder einen Kollegen einladen',
      text: 'Als Inhaber, Bearbeiter oder Leser dieses Kontos.',
      link: 'Einladen',
    },
  },
  playing: 'Läuft gerade',
  security: 'Sicherheitsereignisse, letzte {hours} Std.',
  failed: 'Fehlgeschlagene Videos, letzte {days} Tage',
  endpoints: 'Gestörte Webhook-Endpunkte',
  calm: 'Alles in Ordnung',
  calmText: 'Fehlgeschlagene Videos, gestörte Endpunkte und verbrauchte Grenzen erscheinen hier.',
  failures: 'Fehlversuche in Folge: {number}',
  disabled: 'Abgeschaltet',
  all: 'Alle anzeigen',
  plan: 'Tarif',
  nearly: '{limit}: {share} verbraucht',
  planEnded: 'Der Tarif ist beendet: Neue Videos werden abgelehnt.',
  planEnds: 'Der Tarif endet {time}.',
}
