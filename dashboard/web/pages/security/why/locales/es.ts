import { textsOf } from '../causes/cause-texts.ts'
import { es as causes } from '../causes/es.ts'
import type { WhyWords } from './en.ts'

export const es: WhyWords = {
  title: '¿Por qué no se reprodujo?',
  intro:
    'Cada página y mensaje que impide reproducir un vídeo muestra un código. Pida al espectador que lo lea.',
  code: 'Código',
  codeHint: 'Tres grupos de cuatro caracteres. No importan las mayúsculas ni los guiones.',
  submit: 'Consultar',
  invalid: 'Un carácter es incorrecto o falta. Pida al espectador que lea el código otra vez.',
  emptyTitle: 'Aún no hay código',
  emptyText:
    'Con un código verá cuándo ocurrió, en qué sitio, en qué navegador y el siguiente paso.',
  next: 'Siguiente paso',
  facts: 'Lo que se sabe',
  unstored:
    'No se conserva ningún informe con este código: tiene más de 30 días o es uno de muchos al mismo tiempo. Esto es lo que dice el código por sí solo.',
  cause: 'Causa',
  time: 'Hora',
  video: 'Vídeo',
  deletedVideo: 'Eliminado',
  viewer: 'Espectador',
  site: 'Sitio',
  browser: 'Navegador',
  position: 'Posición',
  errorCode: 'Error del reproductor',
  httpStatus: 'Estado HTTP',
  settings: {
    domains: 'Abrir los dominios',
    viewer_tokens: 'Abrir la marca de agua y el secreto de firma',
    protection: 'Abrir la protección',
    viewers: 'Abrir los espectadores revocados',
    security_events: 'Abrir los eventos de seguridad',
    quick_start: 'Abrir el inicio rápido',
    embed: 'Abrir el código de inserción',
    video: 'Abrir el vídeo',
  },
  causes: textsOf(causes),
}
