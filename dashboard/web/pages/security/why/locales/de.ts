import { textsOf } from '../causes/cause-texts.ts'
import { de as causes } from '../causes/de.ts'
import type { WhyWords } from './en.ts'

export const de: WhyWords = {
  title: 'Warum lief es nicht?',
  intro:
    'Jede Seite und Meldung, die ein Video nicht abspielen lässt, zeigt einen Code. Lassen Sie ihn sich vorlesen.',
  code: 'Code',
  codeHint: 'Drei Gruppen aus vier Zeichen. Großschreibung und Striche spielen keine Rolle.',
  submit: 'Nachschlagen',
  invalid: 'Ein Zeichen ist falsch oder fehlt. Lassen Sie sich den Code noch einmal vorlesen.',
  emptyTitle: 'Noch kein Code',
  emptyText:
    'Mit einem Code sehen Sie, wann es geschah, auf welcher Website, in welchem Browser, und den nächsten Schritt.',
  next: 'Nächster Schritt',
  facts: 'Was bekannt ist',
  unstored:
    'Ein Bericht zu diesem Code ist nicht gespeichert: Er ist älter als 30 Tage oder einer von vielen zur gleichen Zeit. Das sagt der Code allein.',
  cause: 'Ursache',
  time: 'Zeit',
  video: 'Video',
  deletedVideo: 'Gelöscht',
  viewer: 'Zuschauer',
  site: 'Website',
  browser: 'Browser',
  position: 'Position',
  errorCode: 'Fehler des Players',
  httpStatus: 'HTTP-Status',
  settings: {
    domains: 'Domains öffnen',
    viewer_tokens: 'Wasserzeichen und Signaturschlüssel öffnen',
    protection: 'Schutz öffnen',
    viewers: 'Gesperrte Zuschauer öffnen',
    security_events: 'Sicherheitsereignisse öffnen',
    quick_start: 'Schnellstart öffnen',
    embed: 'Einbettungscode öffnen',
    video: 'Video öffnen',
  },
  causes: textsOf(causes),
}
