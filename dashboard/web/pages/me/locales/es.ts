import type { MeWords } from './en.ts'

export const es: MeWords = {
  save: 'Guardar',
  saved: 'Guardado',
  profile: {
    title: 'Perfil',
    text: 'Su nombre, como lo ve el equipo.',
    name: 'Nombre',
    email: 'Correo electrónico',
    emailHint: 'Con él inicia sesión.',
  },
  password: {
    title: 'Contraseña',
    text: 'Una contraseña nueva cierra sus demás sesiones y retira las invitaciones abiertas que usted creó.',
    label: 'Contraseña nueva',
    hint: 'Al menos {number} caracteres. Ninguna contraseña común, ni su dirección ni «Reelgate».',
    refused:
      'Esta contraseña es demasiado fácil de adivinar. Elija una que no sea común, no siga un patrón y no contenga su dirección ni «Reelgate».',
    removePasskeys: 'Eliminar mis llaves de acceso',
    removePasskeysHint:
      'Excepto la que acaba de usar para confirmar. Consérvelas solo si todas son suyas.',
    submit: 'Cambiar contraseña',
    done: 'Se cambió la contraseña',
    failures: 'Contraseñas incorrectas para su dirección: {number} desde el {day}',
    failuresHint:
      'Si no fue usted, alguien las está probando. Tras cinco contraseñas incorrectas, cada red debe esperar cada vez más. Elija una contraseña larga que no use en ningún otro sitio, o inicie sesión con una llave de acceso.',
  },
  passkeys: {
    title: 'Llaves de acceso',
    text: 'Inicie sesión con su huella, su cara o su dispositivo, sin contraseña.',
    used: 'Último uso:',
    never: 'nunca',
    add: 'Añadir una llave de acceso',
    addText: 'Su navegador le pedirá que confirme.',
    addSubmit: 'Continuar',
    added: 'Se añadió la llave de acceso',
    name: 'Nombre',
    nameHint: 'Para reconocerla, como el nombre del dispositivo.',
    notMade: 'No se creó ninguna llave. Quizá lo canceló, o este dispositivo ya tiene una.',
    unreadable:
      'El navegador no dio nada que sea una llave de acceso. Quizá interviene una extensión de contraseñas: desactívela para esta página e inténtelo de nuevo.',
    elsewhere:
      'Las llaves de acceso funcionan en {own}, y esta página está en {here}. Abra el panel allí, o pida al operador que ponga DASHBOARD_BASE_URL en {here}.',
    impossible:
      'Las llaves de acceso necesitan un nombre de host con https o localhost. Esta dirección no lo tiene.',
    rename: 'Cambiar el nombre de {name}',
    renameTitle: 'Cambiar el nombre',
    remove: 'Quitar {name}',
    removeTitle: '¿Quitar esta llave de acceso?',
    removeText: 'Ya no podrá iniciar sesión con ella. Elimínela también en su dispositivo.',
    removeSubmit: 'Quitar',
    removed: 'Se quitó la llave de acceso',
  },
  sessions: {
    search: 'Buscar navegador o dirección',
    noneFound: 'Ninguna sesión tiene este navegador o esta dirección.',
    title: 'Sesiones',
    text: 'Navegadores en los que ha iniciado sesión.',
    here: 'Este navegador',
    unknown: 'Navegador desconocido',
    end: 'Cerrar sesión',
    endOf: 'Cerrar sesión: {name}',
    ended: 'La sesión ha terminado',
    endOthers: 'Cerrar las demás sesiones',
    endedOthers: 'Las demás sesiones han terminado',
  },
  preferences: {
    title: 'Preferencias',
    text: 'Valen en este navegador.',
    shortcuts: 'Atajos de una letra',
    shortcutsHint: 'Pulse ? para verlos. Nunca actúan mientras escribe.',
  },
}
