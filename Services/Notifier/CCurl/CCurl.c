#include "CCurl.h"

#include <curl/curl.h>
#include <pthread.h>
#include <string.h>

struct reading {
    const char *bytes;
    size_t left;
};

static size_t read_some(char *buffer, size_t size, size_t count, void *context) {
    struct reading *reading = context;
    size_t room = size * count, length = reading->left < room ? reading->left : room;
    memcpy(buffer, reading->bytes, length);
    reading->bytes += length;
    reading->left -= length;
    return length;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void prepare(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

int nkul_mail_send(const struct nkul_mail *mail, char *reason, long *answer) {
    pthread_once(&once, prepare);
    reason[0] = 0;
    *answer = 0;
    CURL *curl = curl_easy_init();
    if (!curl) return CURLE_OUT_OF_MEMORY;
    struct curl_slist *to = curl_slist_append(NULL, mail->to);
    struct reading reading = {mail->bytes, mail->length};
    char detail[CURL_ERROR_SIZE] = "";
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(curl, CURLOPT_URL, mail->url);
    curl_easy_setopt(curl, CURLOPT_USE_SSL, mail->requires_tls ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
    if (mail->authorities) curl_easy_setopt(curl, CURLOPT_CAINFO, mail->authorities);
    if (mail->user) curl_easy_setopt(curl, CURLOPT_USERNAME, mail->user);
    if (mail->password) curl_easy_setopt(curl, CURLOPT_PASSWORD, mail->password);
    curl_easy_setopt(curl, CURLOPT_MAIL_FROM, mail->from);
    curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to);
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_some);
    curl_easy_setopt(curl, CURLOPT_READDATA, &reading);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->length);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, mail->timeout_milliseconds);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, mail->timeout_milliseconds);
    CURLcode code = to ? curl_easy_perform(curl) : CURLE_OUT_OF_MEMORY;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, answer);
    if (code != CURLE_OK) {
        const char *text = detail[0] ? detail : curl_easy_strerror(code);
        strncpy(reason, text, 255);
        reason[255] = 0;
    }
    curl_slist_free_all(to);
    curl_easy_cleanup(curl);
    return (int)code;
}
