// A stand-in for the few declarations of MNN that the recorder touches; own code, no inference.
#ifndef MNN_ImageProcess_hpp
#define MNN_ImageProcess_hpp
#include <MNN/Interpreter.hpp>

namespace MNN {
namespace CV {
enum ImageFormat { RGBA = 0, RGB, BGR, GRAY, BGRA, YUV_NV21 = 11, YUV_NV12 = 12, YUV_I420 = 13 };
enum Filter { NEAREST = 0, BILINEAR = 1, BICUBIC = 2 };
enum Wrap { CLAMP_TO_EDGE = 0, ZERO = 1, REPEAT = 2 };
class Matrix {
public:
    Matrix() : m_{1, 0, 0, 0, 1, 0, 0, 0, 1} {}
    void setScale(float x, float y) { m_[0] = x; m_[4] = y; }
    void postTranslate(float x, float y) { m_[2] += x; m_[5] += y; }
    float get(int i) const { return m_[i]; }
private:
    float m_[9];
};
class ImageProcess {
public:
    struct Config {
        Filter filterType = NEAREST;
        ImageFormat sourceFormat = RGBA;
        ImageFormat destFormat = RGBA;
        float mean[4] = {0, 0, 0, 0};
        float normal[4] = {1, 1, 1, 1};
        Wrap wrap = CLAMP_TO_EDGE;
    };
    static ImageProcess *create(const Config &config, const Tensor * = nullptr) { return new ImageProcess(config); }
    static ImageProcess *create(const ImageFormat source = RGBA, const ImageFormat dest = RGBA, const float * = nullptr,
                                const int = 0, const float * = nullptr, const int = 0, const Tensor * = nullptr) {
        Config config;
        config.sourceFormat = source;
        config.destFormat = dest;
        return new ImageProcess(config);
    }
    void setMatrix(const Matrix &matrix) { matrix_ = matrix; }
    void setPadding(uint8_t value) { padding_ = value; }
    ErrorCode convert(const uint8_t *source, int width, int height, int, Tensor *to) {
        float *out = to->host<float>();
        for (int i = 0; i < to->size() / 4; i++) out[i] = (static_cast<float>(source[i % (width * height)]) - config_.mean[0]) * config_.normal[0];
        return NO_ERROR;
    }
private:
    explicit ImageProcess(const Config &config) : config_(config), padding_(0) {}
    Config config_;
    Matrix matrix_;
    uint8_t padding_;
};
} // namespace CV
} // namespace MNN
#endif
