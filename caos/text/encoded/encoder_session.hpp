#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "caos/scores.hpp"
#include "caos/text/encoded/embedding_store.hpp"
#include "caos/text/encoders/text_encoders.hpp"
#include "caos/text/text_session.hpp"

namespace caos {

/// Which encoder is asked, and where its vectors are kept.
struct EncoderSessionOptions {
  std::string model{};  ///< as `text::open_text_encoder` takes it
  text::LanguageModelOptions model_options{};
  std::string store{};      ///< folder; empty: kept in memory
  bool make_store = true;   ///< false: a store that does not exist is not created, but in memory
  std::size_t threads = 0;  ///< 0: one per core. Changes no number
};

/// The work done by a session: different texts.
struct EmbeddingTally {
  std::uint64_t texts = 0;
  std::uint64_t from_store = 0;
  std::uint64_t truncated = 0;  ///< from the store or not
};

/// Called from one thread at a time with the work done so far.
using EmbeddingProgress = std::function<void(const EmbeddingTally& done, std::uint64_t total)>;

/// An encoder and the store of its vectors: every text is embedded once.
class EncoderSession {
 public:
  explicit EncoderSession(EncoderSessionOptions options);

  [[nodiscard]] const text::TextEncoder& encoder() const { return *encoder_; }
  [[nodiscard]] const text::EmbeddingStore& store() const { return store_; }
  [[nodiscard]] const EncoderSessionOptions& options() const { return options_; }
  [[nodiscard]] const EmbeddingTally& tally() const { return tally_; }
  [[nodiscard]] TextScoreRecord record() const;
  void set_progress(EmbeddingProgress progress) { progress_ = std::move(progress); }

  /// The vectors of texts, [texts, dimension], from the store or from the encoder into it.
  [[nodiscard]] Matrix<float> embed(std::span<const std::string> texts);

  /// How many different ones of the texts the store does not have.
  [[nodiscard]] std::size_t count_missing(std::span<const std::string> texts) const;

 private:
  EncoderSessionOptions options_;
  std::unique_ptr<const text::TextEncoder> encoder_;
  text::EmbeddingStore store_;
  EmbeddingTally tally_{};
  EmbeddingProgress progress_{};
};

/// The options with which vectors are comparable to those of `record`; `given` says where the
/// encoder is now, if it names one.
[[nodiscard]] EncoderSessionOptions encoder_options_like(const TextScoreRecord& record,
                                                         EncoderSessionOptions given);

/// Opens a session for new texts. Throws `invalid_input` unless the labeled texts of the file
/// `name` were embedded by the same encoder.
[[nodiscard]] EncoderSession reopen_encoder(const TextScoreRecord& record, const std::string& name,
                                            EncoderSessionOptions given);

}  // namespace caos
