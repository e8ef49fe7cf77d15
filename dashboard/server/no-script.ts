import type { Language } from '../../domain/language.ts'

/** What the page of the app says without JavaScript. */
export const NO_SCRIPT: Record<Language, string> = {
  en: 'The dashboard needs JavaScript. Allow it for this site and reload the page.',
  de: 'Das Dashboard benötigt JavaScript. Erlauben Sie es für diese Website und laden Sie die Seite neu.',
  es: 'El panel necesita JavaScript. Actívalo para este sitio y vuelve a cargar la página.',
  fr: 'Le tableau de bord a besoin de JavaScript. Autorisez-le pour ce site et rechargez la page.',
  pt: 'O painel precisa de JavaScript. Permita-o para este site e recarregue a página.',
  ar: 'تحتاج لوحة التحكم إلى JavaScript. اسمح به لهذا الموقع ثم أعد تحميل الصفحة.',
}
