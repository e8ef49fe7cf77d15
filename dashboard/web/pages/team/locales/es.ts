import type { TeamWords } from './en.ts'

export const es: TeamWords = {
  title: 'Equipo',
  invite: 'Invitar',
  you: 'usted',
  never: 'nunca',
  search: 'Buscar nombre o dirección',
  noneFound: 'Ningún miembro tiene este nombre o esta dirección.',
  columns: {
    member: 'Miembro',
    role: 'Rol',
    seen: 'Última actividad',
    joined: 'Alta',
  },
  changed: '{name} ahora es: {role}',
  roleOf: 'Rol de {name}',
  change: 'Cambiar',
  ownRole: '¿Cambiar su propio rol?',
  ownRoleText:
    'Puede perder el derecho a gestionar este equipo. Otro propietario puede devolvérselo.',
  remove: 'Quitar a {name}',
  removeTitle: '¿Quitar a este miembro?',
  removeText:
    'La próxima solicitud de esta persona se rechaza. Los vídeos, las claves y los ajustes se conservan.',
  removeSubmit: 'Quitar',
  removed: 'Se quitó a {name}',
  leave: 'Salir de la cuenta',
  leaveTitle: '¿Salir de esta cuenta?',
  leaveText: 'Pierde el acceso de inmediato. Un propietario puede volver a invitarle.',
  invitations: {
    title: 'Invitaciones abiertas',
    none: 'No hay ninguna invitación abierta.',
    for: 'Para',
    anyone: 'Cualquiera con el enlace',
    role: 'Rol',
    by: 'Invitado por',
    expires: 'Caduca',
    withdraw: 'Retirar',
    withdrawn: 'Se retiró la invitación',
  },
  dialog: {
    title: 'Invitar a una persona',
    role: 'Rol',
    roles: {
      owner: 'Todo, incluidos las claves, los secretos, el equipo y el registro',
      editor:
        'Cambia los vídeos, los ajustes, los webhooks y los espectadores. No ve las claves, los secretos ni el registro.',
      reader: 'Ve lo que ven los editores y no cambia nada',
    },
    email: 'Correo electrónico',
    emailHint: 'Solo esta dirección puede aceptar. Sin ella, cualquiera con el enlace.',
    submit: 'Crear enlace',
    madeTitle: 'Comparta este enlace',
    made: 'Funciona una vez, hasta {time}. Solo se muestra ahora.',
  },
}
