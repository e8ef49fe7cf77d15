import type { SearchWords } from './en.ts'

export const pt: SearchWords = {
  title: 'Buscar nas legendas',
  intro:
    'O que é dito nos vídeos que podem ser reproduzidos. Uma legenda nova é encontrada após um ou dois minutos.',
  search: 'O que é dito',
  results: 'Momentos',
  playFrom: 'Reproduzir a partir de {time}',
  emptyTitle: 'O que você procura?',
  emptyText:
    'As palavras são encontradas em todas as suas formas. Coloque uma frase entre aspas e um sinal de menos antes do que não deve ser dito.',
  noneTitle: 'Nenhum resultado',
  noneText: 'Nenhuma legenda de um vídeo reproduzível diz tudo isso em um minuto.',
  wordsTitle: 'Nenhuma palavra para buscar',
  wordsText: 'Palavras como “o” são frequentes demais. Acrescente outra.',
}
