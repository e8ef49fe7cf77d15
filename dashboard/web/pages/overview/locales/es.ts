import type { OverviewWords } from './en.ts'

export const es: OverviewWords = {
  title: 'Resumen',
  steps: {
    title: 'Primeros pasos',
    progress: '{done} de {all} hechos',
    done: 'Hecho',
    open: 'Pendiente',
    dismiss: 'Ocultar',
    video_added: {
      title: 'Añadir un vídeo',
      text: 'Pegue el enlace a un archivo de vídeo.',
      link: 'Añadir vídeo',
    },
    video_ready: {
      title: 'Esperar a que esté listo',
      text: 'Se descarga, se codifica y se cifra. Tarda más o menos lo que dura el vídeo.',
      link: 'Ver el progreso',
    },
    played_elsewhere: {
      title: 'Insertarlo en su sitio',
      text: 'Copie el código de la página del vídeo y reprodúzcalo en su propia página.',
      link: 'Elegir un vídeo',
    },
    access_restricted: {
      title: 'Restringir quién puede verlo',
      text: 'Exija tokens de espectador o permita solo sus propios dominios.',
      link: 'Restringir dominios',
    },
    webhook_delivered: {
      title: 'Recibir webhooks',
      text: 'Su servidor se entera de lo que ocurre. Hecho con la primera entrega correcta.',
      link: 'Añadir endpoint',
    },
    colleague_invited: {
      title: 'Invitar a otra persona',
      text: 'Como propietaria, editora o lectora de esta cuenta.',
      link: 'Invitar',
    },
  },
  playing: 'En reproducción',
  security: 'Eventos de seguridad, últimas {hours} h',
  failed: 'Vídeos fallidos, últimos {days} días',
  endpoints: 'Endpoints de webhook con fallos',
  calm: 'Nada requiere su atención',
  calmText:
    'Aquí aparecen los vídeos fallidos, los endpoints con fallos y los límites casi agotados.',
  failures: 'Intentos fallidos seguidos: {number}',
  disabled: 'Desactivado',
  all: 'Mostrar todos',
  plan: 'Plan',
  nearly: '{limit}: {share} usado',
  planEnded: 'El plan ha terminado: se rechazan los vídeos nuevos.',
  planEnds: 'El plan termina {time}.',
}
