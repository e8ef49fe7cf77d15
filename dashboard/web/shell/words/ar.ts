import type { ShellWords } from './en.ts'

export const ar: ShellWords = {
  confirm: {
    title: 'أكّد هويتك',
    text: 'يتطلب هذا تأكيدًا جديدًا، وهو صالح لعشر دقائق.',
    password: 'كلمة المرور',
    submit: 'تأكيد',
    passkey: 'استخدام مفتاح مرور',
    or: 'أو',
    wrong: 'كلمة المرور غير صحيحة.',
    tooMany: 'محاولات كثيرة جدًا. انتظر بضع دقائق.',
    noPasskey: 'لم يُستخدم أي مفتاح مرور.',
  },
  leave: {
    title: 'هل تريد المغادرة دون حفظ؟',
    text: 'ما أدخلته هنا لم يُحفظ.',
    stay: 'البقاء هنا',
    leave: 'مغادرة',
  },
}
