import type { SearchWords } from './en.ts'

export const fr: SearchWords = {
  title: 'Rechercher dans les sous-titres',
  intro:
    'Ce qui est dit dans les vidéos lisibles. Un nouveau sous-titre est trouvé au bout d’une minute ou deux.',
  search: 'Ce qui est dit',
  results: 'Passages',
  playFrom: 'Lire à partir de {time}',
  emptyTitle: 'Que cherchez-vous ?',
  emptyText:
    'Les mots sont trouvés sous toutes leurs formes. Mettez une expression entre guillemets, et un moins devant ce qui ne doit pas être dit.',
  noneTitle: 'Aucun résultat',
  noneText: 'Aucun sous-titre d’une vidéo lisible ne dit tout cela en l’espace d’une minute.',
  wordsTitle: 'Aucun mot à rechercher',
  wordsText: 'Des mots comme « le » sont trop fréquents. Ajoutez-en un autre.',
}
