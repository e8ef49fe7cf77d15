import { textsOf } from '../causes/cause-texts.ts'
import { pt as causes } from '../causes/pt.ts'
import type { WhyWords } from './en.ts'

export const pt: WhyWords = {
  title: 'Por que não foi reproduzido?',
  intro:
    'Cada página e mensagem que impede a reprodução de um vídeo mostra um código. Peça ao espectador que o leia.',
  code: 'Código',
  codeHint: 'Três grupos de quatro caracteres. Maiúsculas e hifens não importam.',
  submit: 'Consultar',
  invalid: 'Um caractere está errado ou falta. Peça ao espectador que leia o código mais uma vez.',
  emptyTitle: 'Ainda sem código',
  emptyText:
    'Com um código você vê quando aconteceu, em que site, em que navegador e o próximo passo.',
  next: 'Próximo passo',
  facts: 'O que se sabe',
  unstored:
    'Nenhum relatório com este código é mantido: tem mais de 30 dias ou é um de muitos ao mesmo tempo. É isto que o código diz sozinho.',
  cause: 'Causa',
  time: 'Hora',
  video: 'Vídeo',
  deletedVideo: 'Excluído',
  viewer: 'Espectador',
  site: 'Site',
  browser: 'Navegador',
  position: 'Posição',
  errorCode: 'Erro do player',
  httpStatus: 'Status HTTP',
  settings: {
    domains: 'Abrir os domínios',
    viewer_tokens: 'Abrir a marca d’água e o segredo de assinatura',
    protection: 'Abrir a proteção',
    viewers: 'Abrir os espectadores revogados',
    security_events: 'Abrir os eventos de segurança',
    quick_start: 'Abrir o início rápido',
    embed: 'Abrir o código de incorporação',
    video: 'Abrir o vídeo',
  },
  causes: textsOf(causes),
}
