import type { SearchWords } from './en.ts'

export const de: SearchWords = {
  title: 'In Untertiteln suchen',
  intro:
    'Was in abspielbaren Videos gesagt wird. Neue Untertitel werden nach ein bis zwei Minuten gefunden.',
  search: 'Was gesagt wird',
  results: 'Stellen',
  playFrom: 'Ab {time} abspielen',
  emptyTitle: 'Wonach suchen Sie?',
  emptyText:
    'Wörter werden in allen ihren Formen gefunden. Setzen Sie eine Wortfolge in Anführungszeichen und ein Minus vor das, was nicht gesagt werden darf.',
  noneTitle: 'Keine Treffer',
  noneText: 'Kein Untertitel eines abspielbaren Videos enthält das alles innerhalb einer Minute.',
  wordsTitle: 'Kein Wort zum Suchen',
  wordsText: 'Wörter wie „der“ sind zu häufig, um gefunden zu werden. Ergänzen Sie ein weiteres.',
}
