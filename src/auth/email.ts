/** Longest address that is accepted, in UTF-16 code units. */
export const EMAIL_MAX_LENGTH = 320;

/** One at sign, and no character with a special meaning in the header of a mail. */
const EMAIL = /^[^\s\p{C}@<>(),;:"[\]\\]+@[^\s\p{C}@<>(),;:"[\]\\]+$/u;

/**
 * The only definition of an email address, for tokens and for requests: the owner of a token can be
 * invited by its address.
 */
export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_MAX_LENGTH && EMAIL.test(text);

/**
 * The form in which addresses are compared: ASCII letters in lower case, everything else as it is.
 * In the database it is `lower(email COLLATE "C")`. Other case rules make different addresses equal:
 * the Kelvin sign (U+212A) has a lower case of `k`.
 */
export const foldEmail = (email: string): string =>
  email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether two addresses are the same one. */
export const isSameEmail = (a: string, b: string): boolean => foldEmail(a) === foldEmail(b);

/** The domain of the addresses that services get; RFC 2606 keeps `.invalid` free of real mail. */
const SERVICE_DOMAIN = 'service.invalid';

/** The address of a service, which has none of its own. @param id our id of the service */
export const serviceAddress = (id: string): string => `${id}@${SERVICE_DOMAIN}`;

/** True for an address that only a service has, in any letter case or width. */
export const isServiceAddress = (email: string): boolean =>
  email.normalize('NFKC').toLowerCase().endsWith(`@${SERVICE_DOMAIN}`);
