import type { SearchWords } from './en.ts'

export const es: SearchWords = {
  title: 'Buscar en los subtítulos',
  intro:
    'Lo que se dice en los vídeos que se pueden reproducir. Los subtítulos nuevos se encuentran al cabo de uno o dos minutos.',
  search: 'Lo que se dice',
  results: 'Momentos',
  playFrom: 'Reproducir desde {time}',
  emptyTitle: '¿Qué busca?',
  emptyText:
    'Las palabras se encuentran en todas sus formas. Ponga una frase entre comillas y un signo menos delante de lo que no debe decirse.',
  noneTitle: 'Sin resultados',
  noneText: 'Ningún subtítulo de un vídeo reproducible dice todo esto en un minuto.',
  wordsTitle: 'Ninguna palabra que buscar',
  wordsText: 'Palabras como «el» son demasiado frecuentes. Añada otra.',
}
