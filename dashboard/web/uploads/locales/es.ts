import { plural } from '../../locales/plural.ts'
import type { UploadsWords } from './en.ts'

export const es: UploadsWords = {
  title: 'Cargas',
  sending: plural({
    one: 'Subiendo {number} archivo',
    other: 'Subiendo {number} archivos',
  }),
  asking: plural({
    one: '{number} carga espera su respuesta',
    other: '{number} cargas esperan su respuesta',
  }),
  finished: 'Todas las cargas han terminado',
  show: 'Mostrar las cargas',
  hide: 'Ocultar las cargas',
  close: 'Cerrar las cargas',
  progress: 'Progreso de {name}',
  total: 'Progreso de todas las cargas',
  speed: '{size}/s',
  states: {
    waiting: 'En espera',
    starting: 'Empezando',
    finishing: 'Terminando',
    paused: 'En pausa al {percent}',
    choose: 'En pausa al {percent}: elija otra vez el mismo archivo para continuar',
    chooseFirst: 'Aún no enviado: elija otra vez el mismo archivo',
    done: 'Subido',
  },
  delays: {
    network: 'Sin conexión. Continúa por sí sola.',
    'sign-in': 'Inicie sesión de nuevo y continúa.',
    server: 'El servidor no está listo. Continúa por sí sola.',
  },
  actions: {
    pause: 'Pausar {name}',
    resume: 'Continuar {name}',
    retry: 'Intentar de nuevo: {name}',
    cancel: 'Cancelar {name}',
    dismiss: 'Quitar {name} de la lista',
    choose: 'Elegir el archivo',
  },
  otherFile: 'Este es otro archivo. Elija {name}, de {size}.',
  cancel: {
    title: '¿Cancelar esta carga?',
    text: 'Ya se han subido {size} de {name}. Se eliminan.',
    submit: 'Cancelar la carga',
    keep: 'Conservarla',
  },
  failures: {
    insufficient_storage:
      'Al plan no le queda bastante almacenamiento. Libere espacio o cambie de plan.',
    source_too_large: 'El archivo es demasiado grande. Expórtelo más pequeño.',
    too_many_uploads:
      'La cuenta tiene demasiadas cargas sin terminar. Cancele algunas o espere a otras.',
    no_active_plan: 'La cuenta no tiene un plan activo.',
    drm_provider_not_configured: 'El operador tiene que configurar antes Multi-DRM.',
    insufficient_role: 'Ya no puede añadir vídeos a esta cuenta.',
    folder_not_found: 'La carpeta ya no existe. Cancele y elija otra.',
    too_many_folders: 'La cuenta ya tiene el máximo de 1000 carpetas.',
    upload_not_found: 'La carga se canceló o ha caducado. Inténtelo de nuevo desde el principio.',
    file_unreadable: 'El archivo se ha movido, modificado o eliminado. Elíjalo otra vez.',
  },
  failed: 'No se pudo subir ({code}).',
  refusals: {
    not_video: 'No es un archivo de vídeo.',
    empty: 'El archivo está vacío.',
    too_large: 'El archivo supera {max}.',
    no_room: 'Al plan solo le quedan {room}.',
  },
  said: {
    added: plural({
      one: 'Se está subiendo {number} archivo',
      other: 'Se están subiendo {number} archivos',
    }),
    done: '{name} se ha subido',
    failed: '{name} no se ha subido: {reason}',
    found: plural({
      one: '{number} carga está sin terminar: elija otra vez su archivo',
      other: '{number} cargas están sin terminar: elija otra vez sus archivos',
    }),
  },
}
