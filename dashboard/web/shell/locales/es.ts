import type { ShellWords } from './en.ts'

export const es: ShellWords = {
  confirm: {
    title: 'Confirme que es usted',
    text: 'Esto requiere una nueva confirmación. Vale durante diez minutos.',
    password: 'Contraseña',
    submit: 'Confirmar',
    passkey: 'Usar una llave de acceso',
    or: 'o',
    wrong: 'La contraseña es incorrecta.',
    tooMany: 'Demasiados intentos. Espere unos minutos.',
    noPasskey: 'No se usó ninguna llave de acceso.',
  },
  palette: {
    none: 'Ninguna acción ni vídeo coincide.',
    noneHint: 'Escriba el nombre de una página o acción, o una palabra del título de un vídeo.',
    recent: 'Recientes',
    areas: 'Ir a',
    actions: 'Acciones',
    videos: 'Vídeos',
    page: 'En esta página',
    hint: 'Nunca actúan mientras escribe y se pueden desactivar en sus preferencias.',
    off: 'Están desactivados en sus preferencias.',
    open: 'Abrir la búsqueda',
  },
  leave: {
    title: '¿Salir sin guardar?',
    text: 'Lo que introdujo aquí no se ha guardado.',
    secretTitle: '¿Salir sin guardarlo?',
    secretText: 'Solo se muestra una vez, al crearse.',
    stay: 'Quedarse',
    leave: 'Salir',
  },
}
