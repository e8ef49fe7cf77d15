import type { PageTexts } from './page-texts.ts'

export const es: PageTexts = {
  request: 'Solicitud',
  email: 'Correo electrónico',
  password: 'Contraseña',
  name: 'Su nombre',
  passwordRule: 'Al menos 12 caracteres. Ninguna contraseña común, ni su dirección ni «Reelgate».',
  strength: {
    short: 'Demasiado corta',
    easy: 'Fácil de adivinar',
    fair: 'Aceptable',
    strong: 'Fuerte',
  },
  linkCode: 'Código del enlace',
  linkCodeHint: 'La parte del enlace que sigue al signo #.',
  signOut: 'Cerrar sesión',
  home: 'Ir al panel',
  signIn: {
    title: 'Iniciar sesión',
    submit: 'Iniciar sesión',
    forgot:
      '¿Ha olvidado la contraseña? Pida al operador de esta instalación un enlace para elegir otra (`reelgate members invite`).',
    or: 'o con su contraseña',
    signedOut: 'Ha cerrado la sesión.',
    toJoin:
      'Esta dirección ya tiene acceso. Inicie sesión con ella para unirse a la cuenta. Su nombre se queda como está.',
    passkey: 'Iniciar sesión con una llave de acceso',
    passkeyFailed:
      'No se ha podido usar la llave de acceso. Vuelva a intentarlo o use su contraseña.',
  },
  welcome: {
    title: 'Le damos la bienvenida',
    text: 'Este enlace le da acceso a una cuenta. Elija cómo iniciará sesión.',
    submit: 'Continuar',
  },
  invitation: {
    roles: { owner: 'Propietario', editor: 'Editor', reader: 'Lector' },
    can: {
      owner: 'Todo, incluidos las claves, los secretos, el equipo y el registro',
      editor:
        'Cambia los vídeos, los ajustes, los webhooks y los espectadores. No ve las claves, los secretos ni el registro.',
      reader: 'Ve lo que ven los editores y no cambia nada',
    },
    account: 'Cuenta',
    role: 'Su rol',
    by: 'Invitación de',
    operator: 'El operador de esta instalación',
    choose: 'Elija cómo iniciará sesión.',
    firstOwner:
      'Es el primer propietario de esta cuenta: el enlace se creó en la línea de comandos. Elija cómo iniciará sesión.',
    newPassword: (email) => `Este enlace establece una nueva contraseña para ${email}.`,
    grantsOperator: 'También será operador de la instalación.',
  },
  replaced: {
    text: (email) =>
      `${email} ya tiene acceso, quizá de otra persona. Si continúa, su nueva contraseña lo sustituye:`,
    passkeys: (count) => `Llaves de acceso que se eliminan: ${count}`,
    sessions: (count) => `Sesiones que terminan: ${count}`,
    accounts: (names) => `Cuentas que obtiene con él: ${names}`,
    submit: 'Sustituir el acceso',
  },
  join: {
    title: 'Unirse a la cuenta',
    text: (email) => `Este enlace le da acceso a otra cuenta. Ha iniciado sesión como ${email}.`,
    submit: 'Unirse',
    otherwise: 'Para unirse con otra dirección, cierre la sesión y abra el enlace de nuevo.',
  },
  problems: {
    wrongCredentials: 'El correo electrónico o la contraseña no son correctos.',
    tooManyGuesses: (wait) => `Ha habido demasiados intentos fallidos. Espere: ${wait}.`,
    email: 'Escriba una dirección de correo completa.',
    emailOfLink: 'Este enlace es para otra dirección de correo.',
    name: 'Escriba su nombre, con un máximo de 100 caracteres.',
    passwordLength: 'Una contraseña tiene de 12 a 256 caracteres.',
    passwordGuessable:
      'Esta contraseña es demasiado fácil de adivinar. Elija una que no sea común, no siga un patrón y no contenga su dirección ni «Reelgate».',
  },
  noAccount: {
    title: 'No tiene ninguna cuenta',
    text: (email) =>
      `Ha iniciado sesión como ${email}, pero no es miembro de ninguna cuenta. Pida una invitación a un propietario.`,
  },
  linkInvalid: {
    title: 'Este enlace no se puede usar',
    text: 'Ya se ha usado, ha caducado o está incompleto. Pida uno nuevo a quien se lo envió.',
  },
  tooManyRequests: {
    title: 'Demasiadas solicitudes',
    text: 'Han llegado muchas solicitudes de este navegador o de esta red. Espere un momento y vuelva a intentarlo.',
  },
  notFound: { title: 'Página no encontrada', text: 'No hay nada en esta dirección.' },
  crossSite: {
    title: 'Use la dirección del panel',
    text: (base) =>
      `La solicitud no procede de \`${base}\`. Abra el panel en esa dirección. Si tiene otra, el operador configura \`DASHBOARD_BASE_URL\`.`,
  },
  unavailable: {
    title: 'Vuelva a intentarlo en un momento',
    text: 'La base de datos no responde en este momento. No se ha cambiado nada.',
  },
  busy: 'En este momento hay demasiadas personas iniciando sesión. No se ha cambiado nada.',
  broken: {
    title: 'El servicio ha tenido un error',
    text: 'Vuelva a intentarlo. Si se repite, indique al operador el número de la solicitud.',
  },
  malformed: {
    title: 'No se puede leer la solicitud',
    text: 'Vuelva atrás e inténtelo de nuevo.',
  },
}
