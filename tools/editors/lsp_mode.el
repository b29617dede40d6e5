;;; Waits for the first diagnostics of the file that is open, and writes them to the file ANSWER.  -*- lexical-binding: t -*-
(require 'package)
(package-initialize)
;; CONFIGURATION
(require 'json)
(setq lsp-auto-guess-root t)  ; which is asked for otherwise
(setq lsp-enable-snippet nil lsp-auto-configure t lsp-diagnostics-provider :none lsp-warn-no-matched-clients nil)

(defun answer-if-told ()
  (let ((found nil))
    (maphash (lambda (_ diagnostics)
               (dolist (d diagnostics)
                 (push (format "%d: %s" (1+ (lsp-get (lsp-get (lsp-get d :range) :start) :line)) (lsp-get d :message))
                       found)))
             (lsp-diagnostics))
    (when found
      (let ((file (getenv "ANSWER")))
        (with-temp-file (concat file ".part") (insert (json-encode (vconcat found))))
        (rename-file (concat file ".part") file))
      (let ((kill-emacs-hook nil) (confirm-kill-processes nil)) (kill-emacs)))))

(run-with-timer 1 0.5 #'answer-if-told)
